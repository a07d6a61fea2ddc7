//! A stand-in for an OpenAI-compatible chat-completions endpoint: the real wire format over a real server, with answers
//! by script.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::server::{Act, Received, Reply, StandIn};

/// A question as the endpoint read it.
#[derive(Debug, Clone)]
pub struct Asked {
    /// The whole body.
    pub body: Value,
    /// The number of the request, from 0 on.
    pub number: usize,
}

/// What the model does with a question.
#[derive(Debug, Clone)]
pub enum Says {
    /// Answers with this content.
    Content(String),
    /// Declines, as models do that are told to.
    Refusal,
    /// Wants to call a tool.
    ToolCall,
    /// Is cut off in the middle of this content.
    CutOff(String),
    /// The endpoint fails with a status and an error code, and asks to wait for so many seconds.
    Fails(u16, &'static str, Option<u32>),
    /// The endpoint answers this body with status 200.
    Body(Vec<u8>),
    /// The endpoint takes the question and says nothing.
    Nothing,
}

/// The endpoint. It refuses requests without its key, and those that are none of a chat completion.
#[derive(Debug)]
pub struct ChatStandIn {
    server: StandIn,
}

/// The key that the endpoint wants.
pub const KEY: &str = "sk-test-3f9a1c77d2";

impl ChatStandIn {
    /// Starts an endpoint that answers by script.
    pub async fn start(script: impl Fn(&Asked) -> Says + Send + Sync + 'static) -> Self {
        let script = Arc::new(script);
        let number = std::sync::atomic::AtomicUsize::new(0);
        let server = StandIn::start(move |request| {
            let Some(body) = acceptable(request) else { return refused(request) };
            let asked = Asked { body, number: number.fetch_add(1, std::sync::atomic::Ordering::SeqCst) };
            reply(&asked, script(&asked))
        })
        .await;
        Self { server }
    }

    /// Where it is asked.
    pub fn url(&self) -> String {
        format!("http://{}/v1/chat/completions", self.server.address())
    }

    /// The requests so far.
    pub fn requests(&self) -> Vec<Received> {
        self.server.requests()
    }

    /// The questions so far.
    pub fn questions(&self) -> Vec<Value> {
        self.requests().iter().filter_map(acceptable).collect()
    }
}

impl Asked {
    /// What the user's message says, which is one JSON document.
    pub fn data(&self) -> Value {
        let content = self.body["messages"][1]["content"].as_str().unwrap_or_default();
        serde_json::from_str(content).unwrap_or_default()
    }

    /// A verdict for each article, by a function of the article.
    pub fn verdicts(&self, judge: impl Fn(&Value) -> (u64, f64)) -> Says {
        let data = self.data();
        let articles = data["articles"].as_array().cloned().unwrap_or_default();
        let verdict = |article: &Value| {
            let (topic, score) = judge(article);
            json!({ "article": article["article"], "topic": topic, "score": score, "reason": "It says so." })
        };
        Says::Content(json!({ "verdicts": articles.iter().map(verdict).collect::<Vec<_>>() }).to_string())
    }
}

/// The body, if the request is one that the real endpoint would take.
fn acceptable(request: &Received) -> Option<Value> {
    let is_post = request.method == "POST" && request.path() == "/v1/chat/completions";
    let has_key = request.value("authorization")? == format!("Bearer {KEY}");
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    let format = &body["response_format"];
    let is_strict = format["type"] == "json_schema" && format["json_schema"]["strict"] == true;
    let roles: Vec<_> = body["messages"].as_array()?.iter().map(|message| message["role"].as_str()).collect();
    let fits = is_strict && roles == [Some("system"), Some("user")] && body["model"].is_string();
    (is_post && has_key && fits).then_some(body)
}

fn refused(request: &Received) -> Reply {
    let key = request.value("authorization").unwrap_or_default();
    // The real one quotes what it was given.
    let message = format!("Incorrect API key provided: {key}");
    let body = json!({ "error": { "message": message, "type": "invalid_request_error", "code": "invalid_api_key" } });
    Reply::new(401).header("content-type", "application/json").body(body.to_string())
}

fn reply(asked: &Asked, says: Says) -> Reply {
    let message = |content: Value, refusal: Value, tools: Value| json!({ "role": "assistant", "content": content, "refusal": refusal, "tool_calls": tools });
    let (message, reason) = match says {
        Says::Content(text) => (message(text.into(), Value::Null, Value::Null), "stop"),
        Says::CutOff(text) => (message(text.into(), Value::Null, Value::Null), "length"),
        Says::Refusal => (message(Value::Null, "I can't help with that.".into(), Value::Null), "stop"),
        Says::ToolCall => {
            let call =
                json!([{ "id": "call_1", "type": "function", "function": { "name": "fetch", "arguments": "{}" } }]);
            (message(Value::Null, Value::Null, call), "tool_calls")
        }
        Says::Fails(status, code, wait) => {
            let body = json!({ "error": { "message": format!("secret {KEY}"), "type": "error", "code": code } });
            let reply = Reply::new(status).header("content-type", "application/json").body(body.to_string());
            return wait.iter().fold(reply, |reply, seconds| reply.header("retry-after", &seconds.to_string()));
        }
        Says::Body(body) => return Reply::ok(body).header("content-type", "application/json"),
        Says::Nothing => return Reply::raw([Act::Hang]),
    };
    let prompt = asked.body["messages"].to_string().len() / 4;
    let body = json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": asked.body["model"],
        "choices": [{ "index": 0, "message": message, "logprobs": null, "finish_reason": reason }],
        "usage": { "prompt_tokens": prompt, "completion_tokens": 20, "total_tokens": prompt + 20 },
        "system_fingerprint": "fp_1"
    });
    Reply::ok(body.to_string()).header("content-type", "application/json")
}
