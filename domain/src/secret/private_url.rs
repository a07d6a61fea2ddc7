//! A URL that may carry a passkey and does not show it.

use std::fmt;

use serde::{Serialize, Serializer};
use url::Url;

/// A URL that may carry a secret in its query, path, user information or fragment.
///
/// Printed, logged or serialised it is in redacted form; only [`expose`](Self::expose) gives the real one, to fetch it.
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
        self.0.to_string()
    }

    /// Whether the redacted form differs from the real one.
    pub fn has_secret(&self) -> bool {
        self.redacted() != self.0.as_str()
    }
}

impl From<Url> for PrivateUrl {
    fn from(url: Url) -> Self {
        Self::new(url)
    }
}

impl fmt::Display for PrivateUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.redacted())
    }
}

impl fmt::Debug for PrivateUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.redacted(), f)
    }
}

impl Serialize for PrivateUrl {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.redacted())
    }
}
