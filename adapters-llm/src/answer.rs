//! What an answer of the endpoint says, or why it says nothing that can be used.

use headwater_domain::synthesis::budget::Tokens;
use headwater_ports::FetchResponse;

use crate::ledger::Lasting;
use crate::wire::{ChatCompletion, Choice, ErrorBody};

/// Why there is no answer that can be used. The text is for people, and holds nothing that the endpoint wrote but a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) why: String,
    pub(crate) lasting: Lasting,
}

impl Trouble {
    pub(crate) fn passing(why: impl Into<String>) -> Self {
        Self { why: why.into(), lasting: Lasting::No }
    }
}

/// The text of a successful answer, and what it cost.
pub(crate) fn read(response: &FetchResponse) -> (Result<String, Trouble>, Option<Tokens>) {
    if response.body_cut {
        return (Err(Trouble::passing("the answer of the model broke off")), None);
    }
    let Ok(completion) = serde_json::from_slice::<ChatCompletion>(&response.body) else {
        return (Err(Trouble::passing("the endpoint answered something else than a chat completion")), None);
    };
    let used = completion
        .usage
        .map(|usage| Tokens { input: usage.prompt_tokens, output: usage.completion_tokens })
        .filter(|used| used.total() > 0);
    (content(completion.choices).map_err(Trouble::passing), used)
}

/// Why an answer with another status than success came.
pub(crate) fn refusal(response: &FetchResponse) -> Trouble {
    let status = response.status;
    let code = serde_json::from_slice::<ErrorBody>(&response.body).ok().and_then(|body| {
        let word = |value: Option<serde_json::Value>| value.as_ref().and_then(serde_json::Value::as_str).and_then(word);
        word(body.error.code).or(word(body.error.kind))
    });
    let code = code.map(|code| format!(" ({code})")).unwrap_or_default();
    match status {
        401 | 403 => {
            Trouble { why: format!("the endpoint refused the key: HTTP {status}{code}"), lasting: Lasting::Yes }
        }
        429 => Trouble::passing(format!("the endpoint asked for fewer requests: HTTP 429{code}")),
        400..=499 => {
            Trouble { why: format!("the endpoint refused the request: HTTP {status}{code}"), lasting: Lasting::Yes }
        }
        _ => Trouble::passing(format!("the endpoint answered HTTP {status}{code}")),
    }
}

fn content(choices: Vec<Choice>) -> Result<String, &'static str> {
    let Some(choice) = choices.into_iter().next() else { return Err("the answer of the model is empty") };
    let message = choice.message;
    if message.tool_calls.is_some_and(|calls| !calls.is_empty()) {
        return Err("the model wanted to use a tool, and has none");
    }
    match choice.finish_reason.as_deref() {
        Some("length") => return Err("the answer of the model was longer than allowed"),
        Some("content_filter") => return Err("the model refused to answer"),
        _ => {}
    }
    if message.refusal.is_some_and(|text| !text.is_empty()) {
        return Err("the model refused to answer");
    }
    message.content.filter(|text| !text.trim().is_empty()).ok_or("the answer of the model is empty")
}

/// An error code, if it is a mere word: anything longer could quote what must not be shown.
fn word(text: &str) -> Option<String> {
    let plain =
        !text.is_empty() && text.len() <= 40 && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
    plain.then(|| text.to_owned())
}
