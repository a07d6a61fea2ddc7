//! How a word or phrase of a topic is found in a text.

use std::collections::BTreeMap;

use super::super::words::{is_cjk, words};

/// How often something was found.
pub(super) type Hits = usize;

/// A word or phrase of a topic.
#[derive(Debug, Clone)]
pub(super) struct Term {
    /// As the user wrote it.
    pub(super) text: String,
    /// Its words, folded and without plural endings.
    words: Vec<String>,
    /// The last word may go on: `climat*`, or a single Chinese character.
    is_prefix: bool,
}

/// All terms of all topics, found by their first word.
#[derive(Debug, Clone, Default)]
pub(super) struct Terms {
    all: Vec<Term>,
    by_first_word: BTreeMap<String, Vec<usize>>,
    by_first_prefix: Vec<usize>,
}

impl Term {
    /// The term that a text of the user means; none where there is no word in it.
    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let stem = text.strip_suffix('*').unwrap_or(text);
        let mut folded = words(stem);
        let single = folded.len() == 1 && folded[0].chars().count() == 1 && folded[0].chars().all(is_cjk);
        if ends_with_half_pair(&folded) {
            folded.pop();
        }
        let is_prefix = single || stem.len() < text.len();
        let last = folded.len().checked_sub(1)?;
        let keep =
            |(place, word): (usize, String)| if is_prefix && place == last { word } else { singular(&word).to_owned() };
        let words = folded.into_iter().enumerate().map(keep).collect();
        Some(Self { text: text.to_owned(), words, is_prefix })
    }

    /// How much a term can prove at most: a phrase says more than a word.
    pub(super) fn strength(&self) -> f64 {
        let has_pairs = self.words.first().is_some_and(|word| word.chars().all(is_cjk));
        let is_phrase = self.words.len() > if has_pairs { 2 } else { 1 };
        if is_phrase { 0.9 } else { 0.75 }
    }

    fn stands_at(&self, text: &[&str]) -> bool {
        let Some(text) = text.get(..self.words.len()) else { return false };
        let last = self.words.len() - 1;
        self.words.iter().zip(text).enumerate().all(|(place, (wanted, found))| {
            if self.is_prefix && place == last { found.starts_with(wanted.as_str()) } else { wanted == found }
        })
    }
}

impl Terms {
    /// Adds a term and gives its place; the same words are added once.
    pub(super) fn add(&mut self, text: &str) -> Option<usize> {
        let term = Term::parse(text)?;
        let same = |known: &Term| known.words == term.words && known.is_prefix == term.is_prefix;
        if let Some(place) = self.all.iter().position(same) {
            return Some(place);
        }
        let place = self.all.len();
        if term.is_prefix && term.words.len() == 1 {
            self.by_first_prefix.push(place);
        } else {
            self.by_first_word.entry(term.words[0].clone()).or_default().push(place);
        }
        self.all.push(term);
        Some(place)
    }

    /// The terms in the order of their places.
    pub(super) fn all(&self) -> &[Term] {
        &self.all
    }

    /// How often each term stands in a text that is given as its words.
    pub(super) fn hits(&self, text: &[String]) -> Vec<Hits> {
        let text: Vec<&str> = text.iter().map(|word| singular(word)).collect();
        let mut hits = vec![0; self.all.len()];
        for (place, word) in text.iter().enumerate() {
            let by_word = self.by_first_word.get(*word).into_iter().flatten();
            for term in by_word.chain(&self.by_first_prefix) {
                hits[*term] += usize::from(self.all[*term].stands_at(&text[place..]));
            }
        }
        hits
    }
}

/// Whether the last word is the end of the pair before it: such a single stands only at the end of a run, and a term
/// must be found in the middle of one too.
fn ends_with_half_pair(words: &[String]) -> bool {
    let [.., pair, single] = words else { return false };
    let mut letters = pair.chars();
    single.chars().all(is_cjk) && letters.next().is_some_and(is_cjk) && letters.next() == single.chars().next()
}

/// A word without its English plural ending. A foreign word is shortened the same way on both sides, which does no harm.
fn singular(word: &str) -> &str {
    let keeps = !word.is_ascii() || word.len() < 4 || ["ss", "us", "is"].iter().any(|end| word.ends_with(end));
    if keeps { word } else { word.strip_suffix('s').unwrap_or(word) }
}
