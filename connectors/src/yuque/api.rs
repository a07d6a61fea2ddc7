//! How Yuque's API is asked, and what its answers mean.

use std::sync::Arc;
use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_domain::resilience::{WAIT_HEADERS, asked_wait};
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_ports::{Error, FetchLimits, FetchRequest, FetchResponse, Header, Result};
use jiff::Timestamp;
use serde::de::DeserializeOwned;
use url::Url;

use super::config::{OPERATION, Shelf, ShelfKind};
use super::wire::{Book, Doc, Envelope, Owner, TocEntry};
use crate::account::{Account, Judgement};

/// One account's way to the API.
pub(super) struct Api {
    account: Arc<Account>,
    origin: Url,
    token: Secret<String>,
}

/// What an id leads to. Missing may also mean hidden: of a document behind a password nothing else is said.
#[derive(Debug)]
pub(super) enum Found<T> {
    /// The thing.
    Here(T),
    /// 404.
    Missing,
}

/// Rows of a listing, and how many there are in all where it says so.
#[derive(Debug)]
pub(super) struct Page<T> {
    pub(super) rows: Vec<T>,
    pub(super) total: Option<u64>,
}

impl Api {
    pub(super) fn new(account: Arc<Account>, origin: Url, token: Secret<String>) -> Self {
        Self { account, origin, token }
    }

    /// The address of a document for people.
    pub(super) fn page_url(&self, namespace: &str, slug: &str) -> String {
        format!("{}{namespace}/{slug}", self.origin)
    }

    /// Whose the token is.
    pub(super) async fn owner(&self) -> Result<Owner> {
        here(self.read::<Owner>("/user", &[]).await?, "the user of the token").map(|envelope| envelope.data)
    }

    /// The teams of a user; none where the listing is missing, as it is for people without teams.
    pub(super) async fn groups(&self, user: u64, offset: usize) -> Result<Vec<Owner>> {
        let found =
            self.read::<Vec<Owner>>(&format!("/users/{user}/groups"), &[("offset", offset.to_string())]).await?;
        Ok(match found {
            Found::Here(envelope) => envelope.data,
            Found::Missing => Vec::new(),
        })
    }

    /// A page of the books of a team or a user.
    pub(super) async fn books(&self, shelf: &Shelf, offset: usize) -> Result<Vec<Book>> {
        let kind = match shelf.kind {
            ShelfKind::Group => "groups",
            ShelfKind::User => "users",
        };
        let query = [("type", "Book".to_owned()), ("offset", offset.to_string()), ("limit", PAGE.to_string())];
        let found = self.read(&format!("/{kind}/{}/repos", segment(&shelf.login)), &query).await?;
        here(found, &format!("the shelf {}", shelf.login)).map(|envelope: Envelope<Vec<Book>>| envelope.data)
    }

    /// A book, by id or namespace.
    pub(super) async fn book(&self, id: &str) -> Result<Found<Book>> {
        self.data(&format!("/repos/{}", path(id)), &[]).await
    }

    /// A page of the documents of a book, without their content.
    pub(super) async fn docs(&self, book: u64, offset: usize) -> Result<Page<Doc>> {
        let query = [("offset", offset.to_string()), ("limit", PAGE.to_string())];
        let found = self.read::<Vec<Doc>>(&format!("/repos/{book}/docs"), &query).await?;
        let envelope = here(found, &format!("the documents of book {book}"))?;
        Ok(Page { rows: envelope.data, total: envelope.meta.and_then(|meta| meta.total) })
    }

    /// The table of contents of a book; empty where it has none.
    pub(super) async fn toc(&self, book: u64) -> Result<Vec<TocEntry>> {
        Ok(match self.data(&format!("/repos/{book}/toc"), &[]).await? {
            Found::Here(entries) => entries,
            Found::Missing => Vec::new(),
        })
    }

    /// A document with its content.
    pub(super) async fn doc(&self, id: u64) -> Result<Found<Doc>> {
        self.data(&format!("/repos/docs/{id}"), &[]).await
    }

    /// A page of a data table, from 1 on.
    pub(super) async fn table_page(&self, id: u64, page: u64) -> Result<Found<Doc>> {
        let query = [("page", page.to_string()), ("page_size", TABLE_PAGE.to_string())];
        self.data(&format!("/repos/docs/{id}"), &query).await
    }

    async fn data<T: DeserializeOwned>(&self, path: &str, query: &[(&str, String)]) -> Result<Found<T>> {
        Ok(match self.read::<T>(path, query).await? {
            Found::Here(envelope) => Found::Here(envelope.data),
            Found::Missing => Found::Missing,
        })
    }

    async fn read<T: DeserializeOwned>(&self, path: &str, query: &[(&str, String)]) -> Result<Found<Envelope<T>>> {
        let mut url = self.origin.clone();
        url.set_path(&format!("/api/v2{path}"));
        if !query.is_empty() {
            url.query_pairs_mut().extend_pairs(query);
        }
        let response = self.account.send(self.request(url), judge).await.map_err(with_redirect_hint)?;
        if response.status == 404 {
            return Ok(Found::Missing);
        }
        match serde_json::from_slice(&response.body) {
            Ok(envelope) => Ok(Found::Here(envelope)),
            Err(error) => {
                let detail = format!("the answer of {path} is not what the API promises");
                Err(Error::new(ErrorKind::Malformed, OPERATION, detail).with_source(error))
            }
        }
    }

    fn request(&self, url: Url) -> FetchRequest {
        let mut request = FetchRequest::get(PrivateUrl::new(url)).header("accept", "application/json");
        // A space of its own lives at another origin, to which the token must not go unasked.
        request.limits = FetchLimits { max_redirects: 0, ..FetchLimits::default() };
        let value = Secret::new(self.token.expose().as_bytes().to_vec());
        request.headers.push(Header { name: "x-auth-token".to_owned(), value, secret: true });
        request
    }
}

/// What an answer means. 404 is an answer like any other: what it means is the caller's to say.
fn judge(response: &FetchResponse, now: Timestamp) -> Judgement {
    let status = response.status;
    let error = |kind, detail: String| Error::new(kind, OPERATION, detail);
    match status {
        200..=299 | 404 => Judgement::Accept,
        401 => Judgement::Refuse(
            error(ErrorKind::InvalidCredentials, "Yuque refused the api_token".to_owned())
                .with_hint("make a new token with the scopes for reading documents, books and teams"),
        ),
        403 => Judgement::Refuse(error(ErrorKind::Auth, "the api_token may not read this".to_owned())),
        429 => Judgement::Throttled(
            Some(throttled_for(response, now)),
            error(ErrorKind::Throttled, "Yuque asks for fewer requests".to_owned()),
        ),
        500..=599 => Judgement::Retry(None, error(ErrorKind::HttpStatus, format!("Yuque answered {status}"))),
        _ => Judgement::Refuse(error(ErrorKind::HttpStatus, format!("Yuque answered {status}"))),
    }
}

/// How long a 429 asks to wait: as its headers say; until the top of the hour where the allowance is used up and nothing is
/// said; else a moment.
fn throttled_for(response: &FetchResponse, now: Timestamp) -> Duration {
    let asked = |name: &&str| response.headers.text(name).and_then(|value| asked_wait(name, value, now));
    if let Some(wait) = WAIT_HEADERS.iter().filter_map(asked).max() {
        return wait;
    }
    if response.headers.text("x-ratelimit-remaining").is_some_and(|left| left.trim() == "0") {
        let left = 3600 - now.as_second().rem_euclid(3600);
        return Duration::from_secs(left.unsigned_abs());
    }
    Duration::from_secs(10)
}

fn here<T>(found: Found<T>, what: &str) -> Result<T> {
    match found {
        Found::Here(value) => Ok(value),
        Found::Missing => Err(missing(what)),
    }
}

/// The error of a thing that is not there, or not for this token.
pub(super) fn missing(what: &str) -> Error {
    Error::new(ErrorKind::HttpStatus, OPERATION, format!("{what} is not there, or not for this token (404)"))
}

fn with_redirect_hint(error: Error) -> Error {
    match error.kind {
        ErrorKind::TooManyRedirects => error.with_hint("set base_url to the address of the space itself"),
        _ => error,
    }
}

/// An id, or a namespace such as `team/book`, as a path.
fn path(id: &str) -> String {
    id.split('/').map(segment).collect::<Vec<_>>().join("/")
}

/// A text as one segment of a path: nothing in it can lead elsewhere.
fn segment(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>().replace('+', "%20").replace('.', "%2E")
}

/// Rows a page, the most that is allowed.
pub(super) const PAGE: usize = 100;

/// Rows a page of a data table, the most that is allowed.
pub(super) const TABLE_PAGE: u64 = 200;
