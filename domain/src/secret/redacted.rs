//! A text from which the secrets are known to be gone.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};

use super::{PrivateUrl, mask_url, redact_text};

/// A text without secrets: it can only be made by taking them out.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Redacted(String);

impl Redacted {
    /// What is left of a text.
    pub fn text(text: &str) -> Self {
        Self(redact_text(text).into_owned())
    }

    /// A URL as it may be printed.
    pub fn url(url: &PrivateUrl) -> Self {
        Self(mask_url(url.expose().as_str()).into_owned())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl<'de> Deserialize<'de> for Redacted {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(|text| Self::text(&text))
    }
}
