//! How well an article fits each topic, judged by words alone, and which words spoke for it.

mod term;

use term::{Hits, Term, Terms};

use super::article::Article;
use super::topic::{Topic, Verdict};
use super::words::words;
use crate::text::plain_text_of_markdown;

/// Judges articles by the words and phrases of topics: no network, no model, the same answer every time.
///
/// After BM25F: a term counts four times in the title, twice in the lead and once in the body, less in longer texts, and
/// every further occurrence adds less than the one before. The terms of a topic are taken together as independent
/// evidence, so that one clear hit or several faint ones suffice. Unlike BM25 no term is weighed by its rarity among the
/// articles at hand: a verdict must not depend on what else was fetched that day.
#[derive(Debug, Clone)]
pub struct Scorer {
    topics: Vec<Subject>,
    terms: Terms,
    min_score: f64,
}

/// A topic, as places in the list of all terms.
#[derive(Debug, Clone, Default)]
struct Subject {
    include: Vec<usize>,
    exclude: Vec<usize>,
}

/// A part of an article, with how much it says.
#[derive(Debug, Clone, Copy)]
struct Field {
    name: &'static str,
    weight: f64,
    usual_words: f64,
    length_matters: f64,
}

impl Scorer {
    /// Prepares topics. One without terms is searched by its name.
    pub fn new(topics: &[Topic], min_score: f64) -> Self {
        let mut terms = Terms::default();
        let topics = topics.iter().map(|topic| Subject::of(topic, &mut terms)).collect();
        Self { topics, terms, min_score }
    }

    /// The best topic of an article; of several equal ones the first. Linear in the article.
    pub fn judge(&self, article: &Article) -> Verdict {
        let evidence = self.evidence(article);
        let scores = self.topics.iter().map(|subject| subject.score(&evidence));
        let best = scores.enumerate().fold(None, |best: Option<(usize, f64)>, (topic, score)| match best {
            Some((_, before)) if before >= score => best,
            _ => Some((topic, score)),
        });
        match best {
            Some((topic, score)) if score >= self.min_score && score > 0.0 => {
                let reason = self.topics[topic].reason(&self.terms, &evidence);
                Verdict { topic: Some(topic), score, reason }
            }
            best => {
                Verdict { topic: None, score: best.map_or(0.0, |(_, score)| score), reason: "fits no topic".to_owned() }
            }
        }
    }

    /// What each term found in the article.
    fn evidence(&self, article: &Article) -> Vec<Evidence> {
        let body = plain_text_of_markdown(&article.content_markdown);
        let body_words = words(&body);
        let lead = match &article.excerpt {
            Some(excerpt) => words(excerpt),
            None => body_words.iter().take(LEAD_WORDS).cloned().collect(),
        };
        let fields = [words(&article.title), lead, body_words].map(|words| (words.len(), self.terms.hits(&words)));
        let evidence = |term: usize| {
            Evidence::of(&self.terms.all()[term], fields.each_ref().map(|(len, hits)| (*len, hits[term])))
        };
        (0..self.terms.all().len()).map(evidence).collect()
    }
}

impl Subject {
    fn of(topic: &Topic, terms: &mut Terms) -> Self {
        let name = std::slice::from_ref(&topic.name);
        let include = if topic.terms.is_empty() { name } else { &topic.terms };
        let mut places = |texts: &[String]| texts.iter().filter_map(|text| terms.add(text)).collect();
        Self { include: places(include), exclude: places(&topic.exclude) }
    }

    fn score(&self, evidence: &[Evidence]) -> f64 {
        if self.exclude.iter().any(|term| evidence[*term].is_prominent()) {
            return 0.0;
        }
        let missed = |terms: &[usize]| terms.iter().map(|term| 1.0 - evidence[*term].weight).product::<f64>();
        (1.0 - missed(&self.include)) * missed(&self.exclude)
    }

    /// The terms that spoke for the topic, strongest first, with where they stand.
    fn reason(&self, terms: &Terms, evidence: &[Evidence]) -> String {
        let mut found: Vec<usize> = self.include.iter().copied().filter(|term| evidence[*term].weight > 0.0).collect();
        found.sort_by(|a, b| evidence[*b].weight.total_cmp(&evidence[*a].weight).then(a.cmp(b)));
        found.dedup();
        let more = found.len().saturating_sub(SHOWN_TERMS);
        let named = found
            .iter()
            .take(SHOWN_TERMS)
            .map(|term| format!("“{}” {}", terms.all()[*term].text, evidence[*term].places()));
        let named = named.collect::<Vec<_>>().join(", ");
        if more > 0 { format!("{named} and {more} more") } else { named }
    }
}

/// What one term found in one article.
#[derive(Debug, Clone, Copy)]
struct Evidence {
    hits: [usize; 3],
    weight: f64,
}

impl Evidence {
    fn of(term: &Term, found: [(usize, usize); 3]) -> Self {
        let frequency: f64 = FIELDS.iter().zip(found).map(|(field, (words, hits))| field.frequency(words, hits)).sum();
        Self { hits: found.map(|(_, hits)| hits), weight: term.strength() * frequency / (frequency + SATURATION) }
    }

    /// Whether the term stands in the title or the lead.
    fn is_prominent(&self) -> bool {
        self.hits[0] > 0 || self.hits[1] > 0
    }

    /// For example `(title, 3× in the text)`.
    fn places(&self) -> String {
        let named = FIELDS.iter().zip(self.hits).filter(|(_, hits)| *hits > 0).map(|(field, hits)| match hits {
            1 => field.name.to_owned(),
            _ => format!("{hits}× in the {}", field.name),
        });
        format!("({})", named.collect::<Vec<_>>().join(", "))
    }
}

impl Field {
    fn frequency(&self, words: usize, hits: Hits) -> f64 {
        let length = 1.0 - self.length_matters + self.length_matters * words as f64 / self.usual_words;
        self.weight * hits as f64 / length.max(MIN_LENGTH)
    }
}

const FIELDS: [Field; 3] = [
    Field { name: "title", weight: 4.0, usual_words: 10.0, length_matters: 0.3 },
    Field { name: "lead", weight: 2.0, usual_words: 50.0, length_matters: 0.3 },
    Field { name: "text", weight: 1.0, usual_words: 600.0, length_matters: 0.6 },
];

/// How soon further occurrences stop to count.
const SATURATION: f64 = 2.0;

/// A text of three words is no better evidence than a short one.
const MIN_LENGTH: f64 = 0.7;

/// Words of the body that stand in for a missing excerpt.
const LEAD_WORDS: usize = 50;

/// Terms named in a reason.
const SHOWN_TERMS: usize = 5;

#[cfg(test)]
mod tests;
