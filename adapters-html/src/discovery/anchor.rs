//! Which ordinary links of a page look as if they led to a feed.

use headwater_domain::feed::discovery::{FeedKind, FeedLink, FeedRole, FoundVia};
use headwater_domain::text::{collapse_space, decode_references};
use url::Url;

use crate::address;
use crate::scan::Tag;

/// A link whose address or text speaks of a feed.
pub(super) struct Anchor {
    href: String,
    text: String,
}

/// Gathers anchors from the tokens of a page.
#[derive(Default)]
pub(super) struct Collector {
    found: Vec<Anchor>,
    open: Option<Anchor>,
}

impl Collector {
    pub(super) fn on_tag(&mut self, tag: &Tag<'_>) {
        match &*tag.name {
            "a" => {
                self.close();
                let href = tag.attributes.value("href").filter(|_| self.found.len() < MAX_ANCHORS);
                let title = tag.attributes.value("title").unwrap_or_default();
                self.open = href.map(|href| Anchor { href: href.into_owned(), text: title.into_owned() });
            }
            "img" => {
                let alternative = tag.attributes.value("alt");
                self.add(&alternative.unwrap_or_default());
            }
            _ => {}
        }
    }

    pub(super) fn on_text(&mut self, text: &str) {
        if self.open.is_some() {
            self.add(&decode_references(text));
        }
    }

    pub(super) fn on_end(&mut self, name: &str) {
        if name == "a" {
            self.close();
        }
    }

    pub(super) fn finish(mut self) -> Vec<Anchor> {
        self.close();
        self.found
    }

    fn add(&mut self, text: &str) {
        if let Some(open) = &mut self.open
            && open.text.len() + text.len() < MAX_TEXT_BYTES
        {
            open.text.push(' ');
            open.text.push_str(text);
        }
    }

    fn close(&mut self) {
        self.found.extend(self.open.take().filter(Anchor::speaks_of_a_feed));
    }
}

impl Anchor {
    /// The feed behind the anchor.
    pub(super) fn resolve(self, base: &Url) -> Option<FeedLink> {
        let url = address::feed(&self.href, base)?;
        if is_of_a_reader(&url) {
            return None;
        }
        let title = Some(collapse_space(&self.text)).filter(|title| !title.is_empty());
        let role = FeedRole::of(title.as_deref(), &url);
        Some(FeedLink { kind: kind_of_address(&self.href), url: url.into(), title, role, via: FoundVia::Anchor })
    }

    fn speaks_of_a_feed(&self) -> bool {
        let href = self.href.trim().to_ascii_lowercase();
        let path = href.split(['?', '#']).next().unwrap_or_default();
        let query = href.split_once('?').map_or("", |(_, query)| query);
        let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
        let has_path = path.trim_end_matches('/').contains('/') || !path.contains("//");
        let in_path = (FEED_NAMES.contains(&last) && has_path)
            || last.ends_with(".rss")
            || last.ends_with(".atom")
            || last.ends_with(".rdf")
            || (last.ends_with(".xml") && ["rss", "feed", "atom"].iter().any(|word| path.contains(word)));
        let in_query = query.split('&').any(|pair| {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            (name == "feed" && !value.is_empty()) || matches!(value, "rss" | "rss2" | "atom")
        });
        href.starts_with("feed:") || in_path || in_query || self.is_called_a_feed()
    }

    fn is_called_a_feed(&self) -> bool {
        let text = collapse_space(&self.text).to_lowercase();
        text.len() < 40 && text.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "rss" | "atom"))
    }
}

/// The family that an address suggests.
pub(super) fn kind_of_address(href: &str) -> FeedKind {
    let lower = href.to_ascii_lowercase();
    if lower.contains("atom") {
        FeedKind::Atom
    } else if lower.ends_with(".json") || lower.contains("feed/json") {
        FeedKind::Json
    } else {
        FeedKind::Rss
    }
}

/// Whether the address is that of a service which reads feeds, and no feed.
fn is_of_a_reader(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    READERS.iter().any(|reader| host == *reader || host.ends_with(&format!(".{reader}")))
}

const FEED_NAMES: [&str; 14] = [
    "feed",
    "feeds",
    "rss",
    "rss2",
    "atom",
    "index.xml",
    "feed.xml",
    "rss.xml",
    "atom.xml",
    "index.rdf",
    "feed.json",
    "rss.php",
    "feed.php",
    "rss.aspx",
];
const READERS: [&str; 8] = [
    "feedly.com",
    "inoreader.com",
    "newsblur.com",
    "theoldreader.com",
    "netvibes.com",
    "my.yahoo.com",
    "add.my.yahoo.com",
    "wikipedia.org",
];
const MAX_ANCHORS: usize = 200;
const MAX_TEXT_BYTES: usize = 400;
