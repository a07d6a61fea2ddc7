//! A URL that may carry a passkey and does not show it.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};
use url::Url;

use super::{mask_url, redact_url};

/// A URL that may carry a secret in its query, path, user information or fragment.
///
/// Stored or serialised it is in redacted form, printed or logged it is masked, which is stricter (see
/// [`redact_url`] and [`mask_url`]); only [`expose`](Self::expose) gives the real one, to fetch it.
/// Two are equal when the real URLs are.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PrivateUrl(Url);

impl PrivateUrl {
    /// Wraps a URL.
    pub fn new(url: Url) -> Self {
        Self(url)
    }

    /// The real URL, for one request.
    pub fn expose(&self) -> &Url {
        &self.0
    }

    /// The form that may be stored and shown.
    pub fn redacted(&self) -> String {
        self.redacted_str().into_owned()
    }

    /// The form that may be stored and shown, without a copy where nothing is secret.
    pub fn redacted_str(&self) -> Cow<'_, str> {
        redact_url(self.0.as_str())
    }

    /// The form for messages and logs, and for feeds' own URLs: whatever looks like a key is taken out too.
    pub fn masked(&self) -> Cow<'_, str> {
        mask_url(self.0.as_str())
    }

    /// Whether the redacted form differs from the real one.
    pub fn has_secret(&self) -> bool {
        matches!(self.redacted_str(), Cow::Owned(_))
    }
}

impl From<Url> for PrivateUrl {
    fn from(url: Url) -> Self {
        Self::new(url)
    }
}

impl fmt::Display for PrivateUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.masked())
    }
}

impl fmt::Debug for PrivateUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.masked(), f)
    }
}

impl Serialize for PrivateUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.redacted_str())
    }
}
