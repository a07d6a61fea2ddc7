//! The format of the endpoint: chat completions, as far as they are used here.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// A request. There are no tools in it, so that the model has none.
#[derive(Debug, Serialize)]
pub(crate) struct ChatRequest<'a> {
    pub(crate) model: &'a str,
    pub(crate) messages: [ChatMessage<'a>; 2],
    pub(crate) response_format: ResponseFormat<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) temperature: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_completion_tokens: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) max_tokens: Option<u64>,
}

#[derive(Debug, Serialize)]
pub(crate) struct ChatMessage<'a> {
    pub(crate) role: &'static str,
    pub(crate) content: &'a str,
}

#[derive(Debug, Serialize)]
pub(crate) struct ResponseFormat<'a> {
    #[serde(rename = "type")]
    pub(crate) kind: &'static str,
    pub(crate) json_schema: JsonSchema<'a>,
}

#[derive(Debug, Serialize)]
pub(crate) struct JsonSchema<'a> {
    pub(crate) name: &'static str,
    pub(crate) strict: bool,
    pub(crate) schema: &'a Value,
}

/// An answer; what is not used is not read.
#[derive(Debug, Deserialize)]
pub(crate) struct ChatCompletion {
    #[serde(default)]
    pub(crate) choices: Vec<Choice>,
    pub(crate) usage: Option<Usage>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct Choice {
    pub(crate) message: AnswerMessage,
    pub(crate) finish_reason: Option<String>,
}

#[derive(Debug, Deserialize)]
pub(crate) struct AnswerMessage {
    pub(crate) content: Option<String>,
    pub(crate) refusal: Option<String>,
    pub(crate) tool_calls: Option<Vec<Value>>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
pub(crate) struct Usage {
    #[serde(default)]
    pub(crate) prompt_tokens: u64,
    #[serde(default)]
    pub(crate) completion_tokens: u64,
}

/// The body of a failure.
#[derive(Debug, Deserialize)]
pub(crate) struct ErrorBody {
    pub(crate) error: ErrorDetail,
}

/// Its message is not read: it may quote the key.
#[derive(Debug, Deserialize)]
pub(crate) struct ErrorDetail {
    pub(crate) code: Option<Value>,
    #[serde(rename = "type")]
    pub(crate) kind: Option<Value>,
}
