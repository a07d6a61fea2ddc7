//! What the model said of each article, checked against what it was asked.

use headwater_domain::synthesis::topic::Verdict;
use headwater_domain::text::collapse_space;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// What is kept of the answer for one article. `topic` counts from 1; 0 is none of them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Given {
    topic: u64,
    score: f64,
    reason: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    verdicts: Vec<Numbered>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Numbered {
    article: u64,
    topic: u64,
    score: f64,
    reason: String,
}

/// The form of the answer.
pub(crate) fn schema(topics: usize) -> Value {
    let numbers: Vec<usize> = (0..=topics).collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["verdicts"],
        "properties": { "verdicts": { "type": "array", "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["article", "topic", "score", "reason"],
            "properties": {
                "article": { "type": "integer" },
                "topic": { "type": "integer", "enum": numbers },
                "score": { "type": "number" },
                "reason": { "type": "string" }
            }
        } } }
    })
}

/// The answers of a batch in the order of its articles; `Err` for one that is no verdict.
///
/// # Errors
/// The answer does not have one verdict for each article, so that it is not known which is whose.
pub(crate) fn parse(
    content: &str,
    articles: usize,
    topics: usize,
) -> Result<Vec<Result<Given, &'static str>>, &'static str> {
    let document: Document =
        serde_json::from_str(content).map_err(|_| "the answer of the model is not of the form that was asked for")?;
    if document.verdicts.len() != articles {
        return Err("the model gave another number of verdicts than there were articles");
    }
    let mut given: Vec<Option<Result<Given, &'static str>>> = (0..articles).map(|_| None).collect();
    for Numbered { article, topic, score, reason } in document.verdicts {
        let place = usize::try_from(article).ok().and_then(|number| number.checked_sub(1));
        let place = place.and_then(|place| given.get_mut(place)).filter(|place| place.is_none());
        let Some(place) = place else { return Err("the model gave verdicts on articles that it was not asked about") };
        *place = Some(checked(Given { topic, score, reason }, topics));
    }
    Ok(given.into_iter().flatten().collect())
}

/// The verdict that was kept as text, if it still is one.
pub(crate) fn kept(text: &str, topics: usize) -> Option<Given> {
    serde_json::from_str(text).ok().and_then(|given| checked(given, topics).ok())
}

impl Given {
    /// As it is kept.
    pub(crate) fn text(&self) -> serde_json::Result<String> {
        serde_json::to_string(self)
    }

    /// The verdict; below the least score the article belongs to no topic.
    pub(crate) fn verdict(self, model: &str, min_score: f64) -> Verdict {
        let topic = usize::try_from(self.topic).ok().and_then(|number| number.checked_sub(1));
        let said = if self.reason.is_empty() { "it gave no reason" } else { &self.reason };
        Verdict {
            topic: topic.filter(|_| self.score >= min_score && self.score > 0.0),
            score: self.score,
            reason: format!("judged by {model}: {said}"),
        }
    }
}

fn checked(given: Given, topics: usize) -> Result<Given, &'static str> {
    if given.topic > topics as u64 {
        return Err("the model named a topic that there is not");
    }
    if !(0.0..=1.0).contains(&given.score) {
        return Err("the model gave a score that is not between 0 and 1");
    }
    let reason = collapse_space(&given.reason);
    let reason = reason.trim_end_matches('.').chars().take(MAX_REASON_CHARS).collect();
    Ok(Given { reason, ..given })
}

/// A sentence, not an essay.
const MAX_REASON_CHARS: usize = 200;

#[cfg(test)]
mod tests;
