//! What a conditional request sends back, byte for byte.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// `ETag` and `Last-Modified` as the server sent them: opaque bytes, never parsed, never mended.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Validators {
    /// For `If-None-Match`.
    #[serde(with = "bytes", skip_serializing_if = "Option::is_none")]
    pub etag: Option<Vec<u8>>,
    /// For `If-Modified-Since`.
    #[serde(with = "bytes", skip_serializing_if = "Option::is_none")]
    pub last_modified: Option<Vec<u8>>,
}

impl Validators {
    /// Whether there is nothing to ask by.
    pub fn is_empty(&self) -> bool {
        self.etag.is_none() && self.last_modified.is_none()
    }

    /// These, and for what a 304 does not repeat the earlier ones.
    #[must_use]
    pub(super) fn or(self, earlier: &Self) -> Self {
        Self {
            etag: self.etag.or_else(|| earlier.etag.clone()),
            last_modified: self.last_modified.or_else(|| earlier.last_modified.clone()),
        }
    }

    /// Without values that no server means, and which would only swell what is stored.
    #[must_use]
    pub(super) fn within_bounds(mut self) -> Self {
        self.etag.take_if(|value| value.is_empty() || value.len() > LONGEST);
        self.last_modified.take_if(|value| value.is_empty() || value.len() > LONGEST);
        self
    }
}

/// A byte is stored as the character of that number, so that nothing is lost and ASCII stays readable.
mod bytes {
    use super::*;

    pub(super) fn serialize<S: Serializer>(value: &Option<Vec<u8>>, serializer: S) -> Result<S::Ok, S::Error> {
        let text = value.as_ref().map(|bytes| bytes.iter().copied().map(char::from).collect::<String>());
        text.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Vec<u8>>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else {
            return Ok(None);
        };
        let bytes = text.chars().map(|character| u8::try_from(u32::from(character)));
        bytes.collect::<Result<_, _>>().map(Some).map_err(serde::de::Error::custom)
    }
}

const LONGEST: usize = 4096;
