//! What the sentences are that say most of an article or of several, each with the articles that it is taken from.

mod extract;
mod sentences;

pub use extract::{Extract, key_sentences, overview};
pub use sentences::sentences;

/// Sentences, each of which names the articles that say so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Summary {
    /// In the order in which they are read.
    pub sentences: Vec<CitedSentence>,
}

/// A sentence with its sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CitedSentence {
    /// Plain text on one line.
    pub text: String,
    /// The places of the articles in the digest that say so; at least one.
    pub cites: Vec<usize>,
}

/// What several articles of a topic say together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overview {
    /// The index of the topic; none for the articles without one.
    pub topic: Option<usize>,
    /// Who wrote it.
    pub written_by: Writer,
    /// The sentences.
    pub summary: Summary,
}

/// Who wrote a summary.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Writer {
    /// Its sentences are the articles' own.
    Extract,
    /// A language model.
    Model,
}

impl Writer {
    /// The word of documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Extract => "extract",
            Self::Model => "model",
        }
    }
}

#[cfg(test)]
mod tests;
