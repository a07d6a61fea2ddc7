//! What is kept of a feed between attempts.

use headwater_domain::feed::cursor::FeedCursor;
use headwater_domain::feed::fetch_state::FeedFetchState;
use headwater_domain::net::normal_form;
use headwater_domain::secret::{PrivateUrl, Redacted, redact_url};
use serde::{Deserialize, Serialize};

/// Everything that is kept of a feed between attempts: plain data without secrets, JSON where it is stored.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FeedMemory {
    /// Which feed this is the memory of, redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    feed: Option<Redacted>,
    /// When and how to ask.
    pub state: FeedFetchState,
    /// Which items are known.
    pub cursor: FeedCursor,
}

impl FeedMemory {
    /// Reads what [`to_json`](Self::to_json) gave.
    ///
    /// # Errors
    /// The text is something else.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }

    /// As a store keeps it.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a memory has string keys only and no failing serialiser")
    }

    /// Under which name a store keeps the memory of a feed: the URL in normal form, redacted.
    pub fn key(url: &PrivateUrl) -> String {
        redact_url(&normal_form(url.expose())).into_owned()
    }

    /// Whether a feed with items was ever read here.
    pub fn knows_a_feed(&self) -> bool {
        !self.cursor.is_empty()
    }

    /// The same memory for the address at which the feed is to be asked for from now on.
    #[must_use]
    pub fn at(self, url: &PrivateUrl) -> Self {
        Self { feed: Some(Redacted::url(url)), ..self }
    }

    /// The memory for a feed: this one, or an empty one where this is another feed's.
    ///
    /// The rotation of a secret leaves a feed what it is; so does asking for it where it is known to have moved.
    pub(super) fn for_feed(self, url: &PrivateUrl) -> Self {
        let asked = Redacted::url(url);
        let same = self.feed.as_ref().is_none_or(|feed| *feed == asked);
        if same {
            return Self { feed: Some(asked), ..self };
        }
        if self.state.moved_to() == Some(asked.as_str()) {
            return Self { feed: Some(asked), ..self };
        }
        Self { feed: Some(asked), ..Self::default() }
    }
}
