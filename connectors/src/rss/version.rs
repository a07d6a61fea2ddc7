//! Two fingerprints of an item: what its feed says of it, and what was handed over.

use std::fmt;

use headwater_domain::feed::FeedItem;
use sha2::{Digest, Sha256};

/// The version of an item, as the cursor keeps it: `s:<signal> h:<content>`, with `~<tries>` behind the signal while the
/// page could not be read for a reason that may pass.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Version {
    signal: String,
    content: String,
    tries: u32,
}

impl Version {
    /// What the feed says of an item: while it is the same, the page is not asked for.
    pub(super) fn signal_of(item: &FeedItem, full_text: bool) -> String {
        digest(&[&item.raw_digest, if full_text { "full" } else { "feed" }])
    }

    /// Reads what the cursor keeps; anything else is no version, and the item is read.
    pub(super) fn parse(text: &str) -> Self {
        let parts = text.strip_prefix("s:").and_then(|rest| rest.split_once(" h:"));
        let Some((signal, content)) = parts else {
            return Self::default();
        };
        let (signal, tries) = signal.split_once('~').unwrap_or((signal, "0"));
        Self { signal: signal.to_owned(), content: content.to_owned(), tries: tries.parse().unwrap_or(0) }
    }

    /// Whether nothing is to be done about an item of that signal.
    pub(super) fn is_settled(&self, signal: &str) -> bool {
        self.is_final() && self.signal == signal
    }

    /// Whether the page need not be asked for again.
    pub(super) fn is_final(&self) -> bool {
        self.tries == 0
    }

    /// The version after a reading. A page that is missing is asked for again, but not for ever.
    pub(super) fn next(&self, signal: String, content: &[&str], is_page_missing: bool) -> Self {
        let before = if self.signal == signal { self.tries } else { 0 };
        let tries = if is_page_missing { (before + 1) % MOST_TRIES } else { 0 };
        Self { signal, content: digest(content), tries }
    }

    /// Whether both have the same content.
    pub(super) fn has_content_of(&self, other: &Self) -> bool {
        self.content == other.content
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { signal, content, tries } = self;
        match tries {
            0 => write!(f, "s:{signal} h:{content}"),
            tries => write!(f, "s:{signal}~{tries} h:{content}"),
        }
    }
}

fn digest(parts: &[&str]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    hash.finalize()[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// So many runs ask for a page that is missing.
const MOST_TRIES: u32 = 4;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_reads_what_it_writes() {
        let version = Version::default().next("aa".to_owned(), &["title", "text"], true);
        assert_eq!(Version::parse(&version.to_string()), version);
        assert!(!version.is_final() && !version.is_settled("aa"));
        let settled = version.next("aa".to_owned(), &["title", "text"], false);
        assert!(settled.is_settled("aa") && !settled.is_settled("bb"));
        assert!(settled.has_content_of(&version));
        assert_eq!(Version::parse("nonsense"), Version::default());
        assert!(!Version::parse("").is_settled("aa"));
    }

    #[test]
    fn a_missing_page_is_asked_for_a_few_times() {
        let mut version = Version::default();
        let mut tries = 0;
        loop {
            version = version.next("aa".to_owned(), &["text"], true);
            tries += 1;
            if version.is_final() {
                break;
            }
        }
        assert_eq!(tries, 4);
        let again = version.next("bb".to_owned(), &["text"], true);
        assert!(!again.is_final(), "an item that changed is tried anew");
    }
}
