//! Which sentences of articles say most of them.

use std::collections::{HashMap, HashSet};

use super::sentences::sentences;
use super::{CitedSentence, Summary};
use crate::synthesis::article::Article;
use crate::synthesis::words::words;
use crate::text::plain_text_of_markdown;

/// The sentences of one article, each with what it weighs.
#[derive(Debug, Clone, Default)]
pub struct Extract {
    sentences: Vec<Weighed>,
}

#[derive(Debug, Clone)]
struct Weighed {
    text: String,
    words: HashSet<String>,
    weight: f64,
}

/// The sentences of an article that say most of it, at most `max`, in the order of the text.
///
/// A sentence weighs what its words do: a word that is frequent in the article weighs more, and twice as much where it
/// stands in the title. The first sentences weigh more than later ones, long ones not more than short ones. What repeats a
/// chosen sentence is passed over. Only the first bytes of a long text are looked at, so that the cost is bounded.
pub fn key_sentences(article: &Article, max: usize) -> Vec<String> {
    let extract = Extract::of(article);
    let mut chosen = extract.best(max, &[]);
    chosen.sort_unstable();
    chosen.into_iter().map(|place| extract.sentences[place].text.clone()).collect()
}

/// What several articles say together: the best sentence of each in turn, best articles first, at most `max` sentences.
///
/// `articles` are the places in the digest with their articles; every sentence cites the one that it is taken from. No
/// sentence repeats another.
pub fn overview(articles: &[(usize, &Article)], max: usize) -> Summary {
    let mut summary = Summary::default();
    let mut said: Vec<HashSet<String>> = Vec::new();
    for (place, article) in articles.iter().take(MAX_ARTICLES) {
        if summary.sentences.len() >= max {
            break;
        }
        let extract = Extract::of(article);
        if let Some(best) = extract.best(1, &said).pop() {
            let sentence = &extract.sentences[best];
            said.push(sentence.words.clone());
            summary.sentences.push(CitedSentence { text: sentence.text.clone(), cites: vec![*place] });
        }
    }
    summary
}

impl Extract {
    /// Weighs the sentences of an article.
    pub fn of(article: &Article) -> Self {
        let text = plain_lines(beginning(&article.content_markdown, MAX_TEXT_BYTES));
        let split: Vec<(&str, Vec<String>)> =
            sentences(&text).into_iter().map(|sentence| (sentence, words(sentence))).collect();
        let mut frequency: HashMap<&str, u32> = HashMap::new();
        for word in split.iter().flat_map(|(_, words)| words).filter(|word| is_telling(word)) {
            *frequency.entry(word).or_default() += 1;
        }
        let title: HashSet<String> = words(&article.title).into_iter().filter(|word| is_telling(word)).collect();
        let weigh = |(place, (text, words)): (usize, &(&str, Vec<String>))| {
            let length = text.chars().count();
            let fits = (MIN_CHARS..=MAX_CHARS).contains(&length) && words.len() >= MIN_WORDS;
            fits.then(|| Weighed {
                text: crate::text::collapse_space(text),
                weight: term_weight(words, &frequency, &title) * position_weight(place),
                words: words.iter().filter(|word| is_telling(word)).cloned().collect(),
            })
        };
        Self { sentences: split.iter().enumerate().filter_map(weigh).collect() }
    }

    /// The places of the heaviest sentences, heaviest first, none of which repeats another or what was said before.
    fn best(&self, max: usize, said: &[HashSet<String>]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.sentences.len()).collect();
        order.sort_by(|a, b| self.sentences[*b].weight.total_cmp(&self.sentences[*a].weight).then(a.cmp(b)));
        let mut chosen: Vec<usize> = Vec::new();
        // Only the heaviest few are compared with each other, so that a long text costs no more.
        for place in order.into_iter().take(max.saturating_mul(4)) {
            if chosen.len() >= max {
                break;
            }
            let words = &self.sentences[place].words;
            let known = chosen.iter().map(|chosen| &self.sentences[*chosen].words).chain(said);
            if !known.into_iter().any(|known| repeats(words, known)) {
                chosen.push(place);
            }
        }
        chosen
    }
}

/// The mean weight of the words that tell something; a sentence of few such words is no better for it.
fn term_weight(words: &[String], frequency: &HashMap<&str, u32>, title: &HashSet<String>) -> f64 {
    let telling = words.iter().filter(|word| is_telling(word));
    let weight = |word: &String| {
        let count = f64::from(frequency.get(word.as_str()).copied().unwrap_or_default());
        let in_title = if title.contains(word) { 2.0 } else { 1.0 };
        count.sqrt() * in_title
    };
    let (count, sum) = telling.fold((0_u32, 0.0), |(count, sum), word| (count + 1, sum + weight(word)));
    sum / f64::from(count.max(USUAL_WORDS))
}

/// News tells the most important things first.
fn position_weight(place: usize) -> f64 {
    1.0 + 1.0 / (1.0 + place as f64)
}

/// Whether most of the words of the shorter sentence stand in the other.
fn repeats(words: &HashSet<String>, known: &HashSet<String>) -> bool {
    let shared = words.intersection(known).count();
    let shorter = words.len().min(known.len());
    shorter > 0 && shared * 10 > shorter * 6
}

/// Short words of alphabets rarely say what a text is about; of Chinese, Japanese and Korean each pair counts.
fn is_telling(word: &str) -> bool {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(_)) if crate::synthesis::words::is_cjk(first) => true,
        _ => word.chars().count() > 3,
    }
}

/// The text of Markdown with its lines kept apart; fences, tables and headings are no sentences.
fn plain_lines(markdown: &str) -> String {
    let mut text = String::new();
    let mut paragraph = String::new();
    let mut fenced = false;
    for line in markdown.lines() {
        let bare = line.trim_start();
        let is_fence = bare.starts_with("```") || bare.starts_with("~~~");
        fenced ^= is_fence;
        let is_prose = !fenced && !is_fence && !bare.starts_with(['#', '|']);
        if is_prose && !bare.is_empty() && !is_list_item(bare) {
            paragraph.push_str(line);
            paragraph.push('\n');
            continue;
        }
        push_paragraph(&mut text, &mut paragraph);
        if is_prose && is_list_item(bare) {
            paragraph.push_str(line);
            paragraph.push('\n');
        }
    }
    push_paragraph(&mut text, &mut paragraph);
    text
}

fn push_paragraph(text: &mut String, paragraph: &mut String) {
    if !paragraph.is_empty() {
        text.push_str(&crate::text::collapse_space(&plain_text_of_markdown(paragraph)));
        text.push('\n');
        paragraph.clear();
    }
}

fn is_list_item(line: &str) -> bool {
    let digits = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    line.starts_with("- ")
        || line.starts_with("* ")
        || line.starts_with("+ ")
        || (digits.len() < line.len() && digits.starts_with(". "))
}

/// The beginning of a text, cut between characters.
fn beginning(text: &str, max_bytes: usize) -> &str {
    &text[..text.floor_char_boundary(max_bytes)]
}

/// So much of an article is looked at: what is important stands before.
const MAX_TEXT_BYTES: usize = 40_000;

/// So many articles make an overview.
const MAX_ARTICLES: usize = 50;

/// Shorter sentences say little by themselves.
const MIN_CHARS: usize = 12;

/// Longer ones are lists, or no sentences.
const MAX_CHARS: usize = 400;

/// A sentence of fewer words is an exclamation.
const MIN_WORDS: usize = 4;

/// Words that tell something in a sentence of usual length.
const USUAL_WORDS: u32 = 8;
