//! What the model wrote of a topic, checked sentence by sentence.

use headwater_domain::synthesis::summary::{CitedSentence, Summary};
use headwater_domain::text::collapse_space;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    sentences: Vec<Sentence>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Sentence {
    text: String,
    cites: Vec<u64>,
}

/// The form of the answer.
pub(crate) fn schema(articles: usize) -> Value {
    let numbers: Vec<usize> = (1..=articles).collect();
    json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["sentences"],
        "properties": { "sentences": { "type": "array", "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["text", "cites"],
            "properties": {
                "text": { "type": "string" },
                "cites": { "type": "array", "items": { "type": "integer", "enum": numbers } }
            }
        } } }
    })
}

/// The sentences that can be shown, at most `max`. `places` are the digest's places of the articles that were sent.
///
/// A sentence that cites nothing, or anything else than what was sent, is left out; so is one that brings a link along.
///
/// # Errors
/// The answer is of another form, or no sentence can be shown.
pub(crate) fn parse(content: &str, places: &[usize], max: usize) -> Result<Summary, &'static str> {
    let document: Document =
        serde_json::from_str(content).map_err(|_| "the answer of the model is not of the form that was asked for")?;
    let sentences: Vec<_> =
        document.sentences.into_iter().filter_map(|sentence| checked(sentence, places)).take(max).collect();
    if sentences.is_empty() {
        return Err("no sentence of the model's summary cites an article");
    }
    Ok(Summary { sentences })
}

fn checked(sentence: Sentence, places: &[usize]) -> Option<CitedSentence> {
    let text = collapse_space(&sentence.text);
    let lower = text.to_ascii_lowercase();
    let shown = !text.is_empty() && text.chars().count() <= MAX_SENTENCE_CHARS;
    if !shown || ["://", "www.", "<", "]("].iter().any(|mark| lower.contains(mark)) {
        return None;
    }
    let mut cites = Vec::new();
    for number in sentence.cites {
        let place = usize::try_from(number).ok()?.checked_sub(1)?;
        let place = *places.get(place)?;
        if !cites.contains(&place) {
            cites.push(place);
        }
    }
    (!cites.is_empty()).then_some(CitedSentence { text, cites })
}

/// A sentence, not an essay.
const MAX_SENTENCE_CHARS: usize = 400;

#[cfg(test)]
mod tests;
