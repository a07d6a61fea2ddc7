//! What the cursor remembers of a document, so that it is read again only when it may have changed.

use std::fmt;

use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};

/// What the knowledge base has of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Version {
    /// When it was last edited, to the minute, as the service said.
    pub(super) edited: Option<Timestamp>,
    /// What the listing says of it: title, path, properties.
    pub(super) outline: String,
    /// What it says.
    pub(super) content: String,
    /// What it is in, the nearest first, with `/` between; so that a failed branch can be told.
    pub(super) parent: String,
    /// It has to be read again: it was edited in the minute of the reading, or its files are not all there.
    pub(super) is_open: bool,
}

impl Version {
    /// The version that a cursor holds. What cannot be read counts as none, and the document is read again.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut words = text.split(' ');
        let edited = words.next()?;
        Some(Self {
            edited: edited.parse().ok(),
            outline: words.next()?.to_owned(),
            content: words.next()?.to_owned(),
            parent: words.next()?.to_owned(),
            is_open: words.next() == Some("open"),
        })
    }

    /// Whether a listing that says this shows the same document.
    pub(super) fn is_current(&self, edited: Option<Timestamp>, outline: &str) -> bool {
        !self.is_open && edited.is_some() && self.edited == edited && self.outline == outline
    }
}

/// Whether an edit is old enough that no other of the same minute can follow. Times are rounded down to the minute, and
/// the service's clock is not ours.
pub(super) fn is_settled(edited: Option<Timestamp>, read_at: Timestamp) -> bool {
    edited.is_none_or(|edited| edited <= read_at - OVERLAP)
}

/// A short hash of some texts in their order.
pub(super) fn hash<'t>(texts: impl IntoIterator<Item = &'t str>) -> String {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update(text.len().to_le_bytes());
        hash.update(text);
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.edited {
            Some(edited) => write!(f, "{edited}")?,
            None => f.write_str("-")?,
        }
        let parent = if self.parent.is_empty() { "-" } else { &self.parent };
        write!(f, " {} {} {parent}{}", self.outline, self.content, if self.is_open { " open" } else { "" })
    }
}

const OVERLAP: SignedDuration = SignedDuration::from_secs(120);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_survives_the_cursor() {
        let version = Version {
            edited: "2026-03-02T08:12:00Z".parse().ok(),
            outline: hash(["a"]),
            content: hash(["b", "c"]),
            parent: "p/q".to_owned(),
            is_open: true,
        };
        assert_eq!(Version::parse(&version.to_string()), Some(version));
        assert_eq!(Version::parse("of another connector"), None);
    }

    #[test]
    fn an_edit_in_the_minute_of_the_reading_is_not_settled() {
        let at = |text: &str| text.parse::<Timestamp>().unwrap();
        assert!(!is_settled(Some(at("2026-03-02T08:12:00Z")), at("2026-03-02T08:12:40Z")));
        assert!(!is_settled(Some(at("2026-03-02T08:12:00Z")), at("2026-03-02T08:13:59Z")));
        assert!(is_settled(Some(at("2026-03-02T08:12:00Z")), at("2026-03-02T08:14:00Z")));
    }

    #[test]
    fn texts_do_not_run_into_each_other_in_a_hash() {
        assert_ne!(hash(["ab", "c"]), hash(["a", "bc"]));
    }
}
