//! What the reader wants to know about, and how well an article fits it.

use serde::{Deserialize, Serialize};

/// A subject, with the words and phrases that speak of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Topic {
    /// The heading in the digest.
    pub name: String,
    /// Words and phrases (several words) that speak of the topic.
    #[serde(default)]
    pub terms: Vec<String>,
    /// Words and phrases that speak against it.
    #[serde(default)]
    pub exclude: Vec<String>,
    /// How many articles are wanted at most.
    #[serde(default)]
    pub quota: Option<usize>,
}

/// What a classifier says of one article.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The index of the best topic; none: the article is about none of them.
    pub topic: Option<usize>,
    /// How well it fits, from 0 to 1.
    pub score: f64,
    /// Which terms spoke for it, or another reason in words.
    pub reason: String,
}
