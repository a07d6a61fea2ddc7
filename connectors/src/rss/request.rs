//! How a feed is asked for: where, with which headers, and what may cross to another origin.

use headwater_domain::feed::fetch_state::{FeedFetchState, Move, Occasion, Validators};
use headwater_domain::secret::{PrivateUrl, Redacted, Secret, extract_masked_params, unredact_url};
use headwater_ports::{FetchLimits, FetchRequest, Header};
use url::Url;

/// Which feed to read, and what to send along.
#[derive(Debug, Clone)]
pub struct FeedRequest {
    /// The feed as the user gave it, secrets included.
    pub url: PrivateUrl,
    /// Further headers. Those marked secret go to the origin of `url` only.
    pub headers: Vec<Header>,
    /// On what occasion; default: its turn.
    pub occasion: Occasion,
}

impl FeedRequest {
    /// A request without further headers.
    pub fn new(url: PrivateUrl) -> Self {
        Self { url, headers: Vec::new(), occasion: Occasion::default() }
    }

    /// The request on another occasion.
    #[must_use]
    pub fn on(self, occasion: Occasion) -> Self {
        Self { occasion, ..self }
    }

    /// Adds a header that never leaves the origin of `url`.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        let value = Secret::new(value.as_bytes().to_vec());
        self.headers.push(Header { name: name.to_owned(), value, secret: true });
        self
    }

    /// Where the feed is by now: the secrets of the user's URL are put into the address it moved to.
    pub(super) fn current_url(&self, state: &FeedFetchState) -> PrivateUrl {
        let Some(moved_to) = state.moved_to() else {
            return self.url.clone();
        };
        let secrets = extract_masked_params(self.url.expose());
        let Ok(moved) = unredact_url(moved_to, &secrets.clone().without_user_info()) else {
            return self.url.clone();
        };
        if same_origin(moved.expose(), self.url.expose()) {
            return unredact_url(moved_to, &secrets).unwrap_or(moved);
        }
        moved
    }

    /// The request for a document of the feed at `url`, conditional where there are validators.
    pub(super) fn at(&self, url: PrivateUrl, validators: &Validators, limits: FetchLimits) -> FetchRequest {
        let home = same_origin(url.expose(), self.url.expose());
        let mut request = FetchRequest { limits, ..FetchRequest::get(url) }.header("accept", ACCEPT);
        if let Some(etag) = &validators.etag {
            request = request.header("if-none-match", etag.clone()).header("a-im", "feed");
        }
        if let Some(last_modified) = &validators.last_modified {
            request = request.header("if-modified-since", last_modified.clone());
        }
        request.headers.extend(self.headers.iter().filter(|header| home || !header.secret).cloned());
        request
    }
}

/// The move that permanent redirects from one URL to another make, if the target can be kept without its secrets and
/// made whole again from those of the first.
pub(super) fn move_between(from: &PrivateUrl, to: &PrivateUrl) -> Option<Move> {
    let kept = Redacted::url(to);
    let secrets = extract_masked_params(from.expose()).without_user_info();
    let restored = unredact_url(kept.as_str(), &secrets).ok()?;
    let moved =
        restored.expose() == &without_user_info(to.expose()) && restored.expose() != &without_user_info(from.expose());
    moved.then(|| Move { from: Redacted::url(from), to: kept })
}

/// The URL without user name and password, as base for relative ones.
pub(super) fn without_user_info(url: &Url) -> Url {
    let mut bare = url.clone();
    // Both fail only for URLs that cannot have user information, and so have none.
    let _ = bare.set_username("");
    let _ = bare.set_password(None);
    bare
}

fn same_origin(one: &Url, other: &Url) -> bool {
    one.origin() == other.origin()
}

const ACCEPT: &str = "application/atom+xml, application/rss+xml, application/feed+json, application/rdf+xml;q=0.9, \
                      application/xml;q=0.8, text/xml;q=0.8, application/json;q=0.7, */*;q=0.1";
