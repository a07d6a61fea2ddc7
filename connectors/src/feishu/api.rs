//! How Feishu's API is asked: with a token that is fetched when needed, and with answers judged by their codes.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_domain::resilience::asked_wait;
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_ports::{Error, FetchLimits, FetchRequest, FetchResponse, Header, Method, Result};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::Mutex;
use url::Url;

use super::codes::{Meaning, meaning};
use super::config::{OPERATION, Settings};
use super::wire::{Envelope, Head, TokenAnswer};
use crate::account::{Account, Judgement};

/// The way of one app to the API.
pub(super) struct Api {
    pub(super) settings: Settings,
    pub(super) paces: Paces,
    token: Arc<TokenPlace>,
}

/// Where the token of an app is kept: whoever finds it stale fetches one for all.
#[derive(Default)]
pub(super) struct TokenPlace(Mutex<Option<Token>>);

struct Token {
    value: Secret<String>,
    good_until: Timestamp,
}

/// The paces of an app: each family of the API has a limit of its own.
pub(super) struct Paces {
    pub(super) wiki: Arc<Account>,
    pub(super) export: Arc<Account>,
    pub(super) download: Arc<Account>,
    pub(super) docx: Arc<Account>,
    pub(super) tables: Arc<Account>,
}

/// A question.
pub(super) struct Call<'a> {
    pub(super) pace: &'a Account,
    pub(super) path: String,
    pub(super) query: Vec<(&'a str, String)>,
    pub(super) body: Option<Value>,
}

/// What an answer is, apart from errors.
#[derive(Debug)]
pub(super) enum Found<T> {
    /// What was asked for.
    Here(T),
    /// It does not exist any more.
    Missing,
    /// It may be there, but the app may not see it.
    Hidden(Error),
}

impl<T> Found<T> {
    /// The thing, for those to whom it makes no difference why it is not there.
    pub(super) fn required(self, what: &str) -> Result<T> {
        match self {
            Self::Here(value) => Ok(value),
            Self::Hidden(error) => Err(error),
            Self::Missing => Err(Error::new(ErrorKind::HttpStatus, OPERATION, format!("{what} does not exist"))),
        }
    }
}

impl<'a> Call<'a> {
    /// A GET.
    pub(super) fn get(pace: &'a Account, path: String) -> Self {
        Self { pace, path, query: Vec::new(), body: None }
    }

    /// Adds a parameter.
    #[must_use]
    pub(super) fn with(mut self, name: &'a str, value: impl Into<String>) -> Self {
        self.query.push((name, value.into()));
        self
    }

    /// Makes it a POST of that body.
    #[must_use]
    pub(super) fn post(self, body: Value) -> Self {
        Self { body: Some(body), ..self }
    }
}

impl Api {
    pub(super) fn new(settings: Settings, paces: Paces, token: Arc<TokenPlace>) -> Self {
        Self { settings, paces, token }
    }

    /// Asks for JSON.
    pub(super) async fn json<T: DeserializeOwned>(&self, call: &Call<'_>) -> Result<Found<T>> {
        let response = match self.ask(call).await? {
            Found::Here(response) => response,
            Found::Missing => return Ok(Found::Missing),
            Found::Hidden(error) => return Ok(Found::Hidden(error)),
        };
        let envelope: Result<Envelope<T>, _> = serde_json::from_slice(&response.body);
        let unreadable = || {
            Error::new(
                ErrorKind::Malformed,
                OPERATION,
                format!("the answer of {} is not what the API promises", call.path),
            )
        };
        match envelope {
            Ok(envelope) => envelope.data.map(Found::Here).ok_or_else(unreadable),
            Err(error) => Err(unreadable().with_source(error)),
        }
    }

    /// Asks for a file. What the answer says of its type comes along.
    pub(super) async fn bytes(&self, call: &Call<'_>) -> Result<Found<(Bytes, Option<String>)>> {
        Ok(match self.ask(call).await? {
            Found::Here(response) => {
                let content_type = response.headers.text("content-type").map(str::to_owned);
                Found::Here((response.body, content_type))
            }
            Found::Missing => Found::Missing,
            Found::Hidden(error) => Found::Hidden(error),
        })
    }

    /// Makes sure of a token: the only thing that shows whether id and secret are right.
    pub(super) async fn sign_in(&self) -> Result<()> {
        self.token(None).await.map(|_| ())
    }

    /// Asks, with another token where the first turns out to be stale.
    async fn ask(&self, call: &Call<'_>) -> Result<Found<FetchResponse>> {
        let mut stale = None;
        loop {
            let token = self.token(stale.as_ref()).await?;
            let response = call.pace.send(self.request(call, &token), judge).await?;
            match answer_of(&response) {
                (Meaning::Fine, _) => return Ok(Found::Here(response)),
                (Meaning::Missing, _) => return Ok(Found::Missing),
                (Meaning::Hidden, _) => return Ok(Found::Hidden(hidden())),
                (Meaning::StaleToken, _) if stale.is_none() => stale = Some(token),
                (_, code) => return Err(refused(response.status, code)),
            }
        }
    }

    /// The token: the one at hand unless it is the stale one or nearly over; then a new one, fetched once for all.
    async fn token(&self, stale: Option<&Secret<String>>) -> Result<Secret<String>> {
        let mut place = self.token.0.lock().await;
        let now = self.paces.wiki.now();
        if let Some(token) = &*place
            && token.good_until > now
            && stale != Some(&token.value)
        {
            return Ok(token.value.clone());
        }
        let (value, expire) = self.new_token().await?;
        let good_for = Duration::from_secs(expire.saturating_sub(EARLY_SECONDS).max(60).unsigned_abs());
        let good_until = now.checked_add(good_for).unwrap_or(Timestamp::MAX);
        *place = Some(Token { value: value.clone(), good_until });
        Ok(value)
    }

    async fn new_token(&self) -> Result<(Secret<String>, i64)> {
        let body = json!({"app_id": self.settings.app_id, "app_secret": self.settings.app_secret.expose()});
        let mut request =
            FetchRequest::get(PrivateUrl::new(self.url("/open-apis/auth/v3/tenant_access_token/internal")));
        request.method = Method::Post(body.to_string().into());
        let request = limited(request).header("content-type", "application/json; charset=utf-8");
        let response = self.paces.wiki.send(request, judge).await?;
        match answer_of(&response) {
            (Meaning::Fine, _) => {}
            (_, code) => return Err(refused(response.status, code)),
        }
        let answer: TokenAnswer = serde_json::from_slice(&response.body).map_err(|_| {
            Error::new(ErrorKind::Malformed, OPERATION, "the answer to the sign-in is not what the API promises")
        })?;
        if answer.tenant_access_token.is_empty() {
            return Err(Error::new(ErrorKind::Malformed, OPERATION, "the answer to the sign-in has no token"));
        }
        Ok((Secret::new(answer.tenant_access_token), answer.expire))
    }

    fn request(&self, call: &Call<'_>, token: &Secret<String>) -> FetchRequest {
        let mut url = self.url(&format!("/open-apis{}", call.path));
        if !call.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&call.query);
        }
        let mut request = FetchRequest::get(PrivateUrl::new(url));
        if let Some(body) = &call.body {
            request.method = Method::Post(body.to_string().into());
            request = request.header("content-type", "application/json; charset=utf-8");
        }
        let value = Secret::new(format!("Bearer {}", token.expose()).into_bytes());
        request.headers.push(Header { name: "authorization".to_owned(), value, secret: true });
        limited(request)
    }

    fn url(&self, path: &str) -> Url {
        let mut url = self.settings.origin.clone();
        url.set_path(path);
        url
    }
}

fn limited(request: FetchRequest) -> FetchRequest {
    FetchRequest { limits: FetchLimits { max_redirects: 3, ..FetchLimits::default() }, ..request }
}

/// Sorts an answer for the pace: what may pass is asked again, what is known of the thing itself is an answer.
fn judge(response: &FetchResponse, now: Timestamp) -> Judgement {
    match answer_of(response) {
        (Meaning::Throttled, code) => {
            let error = Error::new(ErrorKind::Throttled, OPERATION, with_code("Feishu asks for fewer requests", code));
            Judgement::Throttled(Some(throttled_for(response, now)), error)
        }
        (Meaning::Passing, code) => {
            let detail = with_code(&format!("Feishu answered {}", response.status), code);
            Judgement::Retry(None, Error::new(ErrorKind::HttpStatus, OPERATION, detail))
        }
        (Meaning::WrongCredentials, _) => Judgement::Refuse(wrong_credentials()),
        (Meaning::LacksScope, code) => Judgement::Refuse(lacks_scope(response, code)),
        (Meaning::Refused, code) => Judgement::Refuse(refused(response.status, code)),
        (Meaning::Fine | Meaning::Missing | Meaning::Hidden | Meaning::StaleToken, _) => Judgement::Accept,
    }
}

/// What an answer means, and its code. A file has none, and may begin with anything.
fn answer_of(response: &FetchResponse) -> (Meaning, Option<i64>) {
    let is_json = response.headers.text("content-type").is_some_and(|kind| kind.contains("json"));
    // A downloaded file may be JSON as well; then it has no code, or the file's own, and a good status.
    let is_file = response.headers.text("content-disposition").is_some() && response.status < 400;
    if is_file || (!is_json && response.status < 300) {
        return (Meaning::Fine, None);
    }
    let code = serde_json::from_slice::<Head>(&response.body).ok().map(|head| head.code);
    (meaning(response.status, code), code)
}

/// The gateway's own header says how long, others say it as the rest of the world does; else a moment.
fn throttled_for(response: &FetchResponse, now: Timestamp) -> Duration {
    let seconds = response.headers.text("x-ogw-ratelimit-reset").and_then(|value| value.trim().parse::<f64>().ok());
    let own = seconds.filter(|seconds| seconds.is_finite() && *seconds >= 0.0).map(|seconds| seconds.ceil() as u64);
    let standard = || response.headers.text("retry-after").and_then(|value| asked_wait("retry-after", value, now));
    own.map(Duration::from_secs).or_else(standard).unwrap_or(Duration::from_secs(5)).max(Duration::from_millis(100))
}

fn wrong_credentials() -> Error {
    Error::new(ErrorKind::InvalidCredentials, OPERATION, "Feishu refused app_id and app_secret")
        .with_hint("copy App ID and App Secret from the app's page in the developer console; Feishu and Lark have apps of their own")
}

fn lacks_scope(response: &FetchResponse, code: Option<i64>) -> Error {
    let head = serde_json::from_slice::<Head>(&response.body).ok();
    let scopes: Vec<String> = head
        .and_then(|head| head.error)
        .map(|error| error.permission_violations.into_iter().map(|violation| violation.subject).collect())
        .unwrap_or_default();
    let scopes: Vec<_> = scopes.into_iter().filter(|scope| is_scope(scope)).take(10).collect();
    let missing =
        if scopes.is_empty() { "a scope".to_owned() } else { format!("one of the scopes {}", scopes.join(", ")) };
    Error::new(ErrorKind::Auth, OPERATION, with_code(&format!("the app lacks {missing}"), code))
        .with_hint("add the scope in the developer console, and publish a new version of the app")
}

/// Scopes are named by the answer: only what looks like one is shown.
fn is_scope(text: &str) -> bool {
    !text.is_empty()
        && text.len() <= 100
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b":._-".contains(&byte))
}

fn hidden() -> Error {
    Error::new(ErrorKind::Auth, OPERATION, "the app may not read this")
        .with_hint("add the app to the space as a member, or to the document as a collaborator")
}

fn refused(status: u16, code: Option<i64>) -> Error {
    Error::new(ErrorKind::HttpStatus, OPERATION, with_code(&format!("Feishu answered {status}"), code))
}

fn with_code(text: &str, code: Option<i64>) -> String {
    code.filter(|code| *code != 0).map_or_else(|| text.to_owned(), |code| format!("{text} (code {code})"))
}

/// A token is renewed that long before its end.
const EARLY_SECONDS: i64 = 300;
