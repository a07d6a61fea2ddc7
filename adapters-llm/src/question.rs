//! What is asked in one request.

use bytes::Bytes;
use headwater_domain::secret::Secret;
use headwater_domain::synthesis::budget::{Tokens, estimated_tokens};
use headwater_ports::{FetchLimits, FetchRequest, Header, Method};
use serde_json::Value;

use crate::config::{AnswerLimit, ModelConfig};
use crate::wire::{ChatMessage, ChatRequest, JsonSchema, ResponseFormat};

/// A question with the form of its answer.
#[derive(Debug)]
pub(crate) struct Question {
    /// What the model is to do: written by us.
    pub(crate) task: &'static str,
    /// One JSON document with what it is to do that with: written by strangers, in parts.
    pub(crate) data: String,
    /// The name of the answer's form.
    pub(crate) name: &'static str,
    /// The JSON schema of the answer.
    pub(crate) schema: Value,
    /// How long the answer may be.
    pub(crate) answer_tokens: u64,
}

impl Question {
    /// What it costs at most, about.
    pub(crate) fn estimate(&self) -> Tokens {
        let schema = estimated_tokens(&self.schema.to_string());
        let input = estimated_tokens(self.task) + estimated_tokens(&self.data) + schema + FRAME_TOKENS;
        Tokens { input, output: self.answer_tokens }
    }

    /// The request that asks it.
    pub(crate) fn request(&self, config: &ModelConfig) -> serde_json::Result<FetchRequest> {
        let limit = |field| (config.answer_limit == field).then_some(self.answer_tokens);
        let body = ChatRequest {
            model: &config.model,
            messages: [
                ChatMessage { role: "system", content: self.task },
                ChatMessage { role: "user", content: &self.data },
            ],
            response_format: ResponseFormat {
                kind: "json_schema",
                json_schema: JsonSchema { name: self.name, strict: true, schema: &self.schema },
            },
            temperature: config.temperature,
            max_completion_tokens: limit(AnswerLimit::MaxCompletionTokens),
            max_tokens: limit(AnswerLimit::MaxTokens),
        };
        let method = Method::Post(Bytes::from(serde_json::to_vec(&body)?));
        let limits = FetchLimits {
            max_body_bytes: MAX_ANSWER_BYTES,
            timeout: config.timeout,
            read_timeout: config.timeout,
            // A redirect would make a GET of the question.
            max_redirects: 0,
        };
        let request = FetchRequest { url: config.url.clone(), method, headers: Vec::new(), limits };
        let mut request = request.header("content-type", "application/json").header("accept", "application/json");
        if let Some(key) = &config.key {
            let value = Secret::new(format!("Bearer {}", key.expose()).into_bytes());
            request.headers.push(Header { name: "authorization".to_owned(), value, secret: true });
        }
        Ok(request)
    }
}

/// Tokens that the frame of a conversation takes.
const FRAME_TOKENS: u64 = 32;

/// Bytes of an answer: some forty times what the largest question allows for.
const MAX_ANSWER_BYTES: u64 = 1024 * 1024;
