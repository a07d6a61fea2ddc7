//! Which sources and topics a run is given: from the command line and from files.

mod document;
pub(crate) mod list;
pub(crate) mod topics;

use std::collections::BTreeSet;

use headwater_domain::ErrorKind;
use headwater_domain::secret::{PrivateUrl, redact_text};
use headwater_domain::synthesis::digest::Failure;
use headwater_domain::synthesis::source::{Source, SourceId};
use jiff::Timestamp;
use url::Url;
use uuid::Uuid;

use crate::synthesis::Wanted;

/// A source as somebody wrote it down.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Written {
    /// The URL, as written.
    pub(crate) url: String,
    /// What the user calls it.
    pub(crate) title: Option<String>,
    /// Whether it is read first; none: as the store says.
    pub(crate) preferred: Option<bool>,
    /// Why it cannot be read, where that is known already.
    pub(crate) problem: Option<Failure>,
}

impl Written {
    /// A URL and nothing else.
    pub(crate) fn url(url: &str) -> Self {
        Self { url: url.to_owned(), ..Self::default() }
    }

    /// The source that is meant. What is no URL is reported beside the other sources.
    ///
    /// Where nothing is written of it, a source is preferred that was so before ([`preferred`]).
    pub(crate) fn wanted(self, now: Timestamp, preferred: &BTreeSet<String>) -> Wanted {
        match self.problem.map_or_else(|| parse(&self.url), Err) {
            Ok(url) => {
                let mut source = Source {
                    id: SourceId(new_id(now)),
                    url: PrivateUrl::new(url),
                    url_redacted: false,
                    title: self.title,
                    preferred: false,
                    feed: None,
                };
                source.preferred = self.preferred.unwrap_or_else(|| preferred.contains(&source.key()));
                Wanted::Source(source)
            }
            Err(failure) => Wanted::Unusable { text: shown(&self.url), failure },
        }
    }
}

/// The keys of the preferred ones of stored sources.
pub(crate) fn preferred(stored: &[Source]) -> BTreeSet<String> {
    stored.iter().filter(|source| source.preferred).map(Source::key).collect()
}

/// Each source once, the first time that it is named.
pub(crate) fn distinct(wanted: Vec<Wanted>) -> Vec<Wanted> {
    let mut seen = BTreeSet::new();
    let mut is_new = |one: &Wanted| match one {
        Wanted::Source(source) => seen.insert(source.key()),
        Wanted::Unusable { .. } => true,
    };
    wanted.into_iter().filter(|one| is_new(one)).collect()
}

/// A new identifier: a UUID of version 7 as text, so that later ones sort after earlier ones.
pub(crate) fn new_id(now: Timestamp) -> String {
    let seconds = u64::try_from(now.as_second()).unwrap_or(0);
    let nanoseconds = u32::try_from(now.subsec_nanosecond()).unwrap_or(0);
    Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, seconds, nanoseconds)).to_string()
}

/// A URL that can be fetched: http or https, with a host.
fn parse(text: &str) -> Result<Url, Failure> {
    let fail = |message: String, hint: Option<String>| Failure { code: ErrorKind::InvalidUrl, message, hint };
    let text = text.trim();
    let meant = || {
        let meant = Url::parse(&format!("https://{text}")).ok();
        meant.filter(|url| url.host_str().is_some_and(|host| host.contains('.')))
    };
    // `user:password@host` is a URL of the scheme `user`, to the letter.
    let is_bare = !text.contains("://") && text.contains('@');
    let Some(url) = Url::parse(text).ok().filter(|url| !is_bare || FAMILIAR.contains(&url.scheme())) else {
        let meant = meant();
        let hint = match meant {
            Some(url) => format!("did you mean {}?", PrivateUrl::new(url)),
            None => "give an http or https URL, such as https://example.org".to_owned(),
        };
        return Err(fail(format!("{:?} is no URL", shown(text)), Some(hint)));
    };
    match url.scheme() {
        "http" | "https" => Ok(url),
        scheme => Err(fail(
            format!("{scheme}: is no scheme that can be fetched"),
            Some("give an http or https URL".to_owned()),
        )),
    }
}

/// What somebody wrote, short and without secrets. A URL without its scheme is looked at as one that has it.
fn shown(text: &str) -> String {
    let whole = if text.contains("://") { text.trim().to_owned() } else { format!("{SCHEME}{}", text.trim()) };
    let redacted = redact_text(&whole);
    let redacted = redacted.strip_prefix(SCHEME).filter(|_| !text.contains("://")).unwrap_or(&redacted);
    redacted.chars().filter(|letter| !letter.is_control()).take(MAX_SHOWN_CHARS).collect()
}

/// Schemes of URLs in which an `@` may stand without `//`.
const FAMILIAR: [&str; 3] = ["http", "https", "mailto"];

const SCHEME: &str = "https://";

const MAX_SHOWN_CHARS: usize = 200;

#[cfg(test)]
mod tests;
