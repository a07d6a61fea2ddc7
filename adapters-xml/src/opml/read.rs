//! Which feeds does the text of a list name, and which of its entries name none?

use std::borrow::Cow;
use std::collections::HashSet;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::feed::outline::{Outline, OutlineFeed, OutlineProblem, OutlineReason};
use headwater_domain::net::normal_form;
use headwater_domain::secret::{PrivateUrl, redact_text};
use headwater_domain::text::{collapse_space, excerpt, plain_text};
use headwater_ports::{Error, Result};
use url::Url;

use super::OPERATION;
use super::tags::{Piece, Pieces, Tag};
use crate::error::Refused;

/// Reads a list.
pub(super) fn read(text: &str) -> Result<Outline> {
    let mut reading = Reading::default();
    for piece in Pieces::of(text) {
        reading.take(piece)?;
    }
    reading.close_leaf(false);
    if reading.is_outline {
        Ok(reading.outline)
    } else {
        Err(Error::new(ErrorKind::Malformed, OPERATION, "the text is no OPML: it has neither <opml> nor <outline>"))
    }
}

/// A list on the way through its tags.
#[derive(Default)]
struct Reading<'a> {
    outline: Outline,
    is_outline: bool,
    in_title: bool,
    /// The open entries; `None` for one that gives no name to a folder.
    open: Vec<Option<Arc<str>>>,
    /// An open entry without a feed, of which it is not known yet whether it is a folder.
    undecided: Option<Entry<'a>>,
    /// How many entries are open around the one that is commented out, with all that is in it.
    commented_from: Option<usize>,
    seen: HashSet<String>,
}

impl<'a> Reading<'a> {
    fn take(&mut self, piece: Piece<'a>) -> Result<()> {
        match piece {
            Piece::Declaration(body) => {
                let internal = Refused::check_doctype(body).is_err() || body.contains('[');
                if internal {
                    return Err(Error::new(
                        ErrorKind::DtdForbidden,
                        OPERATION,
                        "the list carries a document type of its own",
                    ));
                }
            }
            Piece::Start(tag) if is(tag.name, "outline") => self.start(tag)?,
            Piece::End(name) if is(name, "outline") => self.end(),
            Piece::Start(tag) => {
                self.is_outline |= is(tag.name, "opml");
                self.in_title = is(tag.name, "title") && !tag.is_empty;
            }
            Piece::End(_) => self.in_title = false,
            Piece::Text(text) if self.in_title && self.outline.title.is_none() => self.outline.title = title(text),
            Piece::Text(_) => {}
            Piece::Broken(text) => self.broken(text),
        }
        Ok(())
    }

    fn start(&mut self, tag: Tag<'a>) -> Result<()> {
        self.is_outline = true;
        self.close_leaf(true);
        let entry = Entry::of(tag);
        if entry.is_comment && !tag.is_empty {
            self.commented_from.get_or_insert(self.open.len());
        }
        if entry.is_comment || self.commented_from.is_some() {
            return self.open(tag, None);
        }
        let name = entry.name();
        if entry.feed.is_some() {
            self.feed(&entry);
        } else if tag.is_empty {
            self.without_feed(&entry);
        } else {
            self.undecided = Some(entry);
        }
        self.open(tag, name.map(|name| excerpt(&name, MAX_NAME).into()))
    }

    fn open(&mut self, tag: Tag<'a>, name: Option<Arc<str>>) -> Result<()> {
        if tag.is_empty {
            return Ok(());
        }
        if self.open.len() == MAX_DEPTH {
            return Err(Error::new(ErrorKind::TooDeep, OPERATION, format!("folders nest deeper than {MAX_DEPTH}")));
        }
        self.open.push(name);
        Ok(())
    }

    fn end(&mut self) {
        self.close_leaf(false);
        self.open.pop();
        self.commented_from = self.commented_from.filter(|from| self.open.len() > *from);
    }

    /// Decides about an open entry: with another one in it, it is a folder.
    fn close_leaf(&mut self, is_folder: bool) {
        if let Some(entry) = self.undecided.take()
            && !is_folder
        {
            self.without_feed(&entry);
        }
    }

    fn feed(&mut self, entry: &Entry<'a>) {
        let Some(url) = entry.feed.as_deref().and_then(feed_url) else {
            return self.problem(entry, OutlineReason::InvalidUrl);
        };
        if !self.seen.insert(normal_form(&url)) {
            self.outline.duplicates += 1;
            return;
        }
        let site_url = entry.site.as_deref().and_then(|site| Url::parse(site.trim()).ok()).map(PrivateUrl::new);
        let path = self.open.iter().flatten().cloned().collect();
        self.outline.feeds.push(OutlineFeed { url: PrivateUrl::new(url), title: entry.name(), site_url, path });
    }

    /// An entry without a feed's URL: an empty folder, unless it says that it is more.
    fn without_feed(&mut self, entry: &Entry<'a>) {
        if entry.site.is_some() || entry.says_feed {
            self.problem(entry, OutlineReason::NoXmlUrl);
        }
    }

    fn problem(&mut self, entry: &Entry<'a>, reason: OutlineReason) {
        let address = || entry.feed.as_deref().or(entry.site.as_deref()).map(collapse_space);
        let text = entry.name().or_else(address).unwrap_or_else(|| "outline".to_owned());
        self.add_problem(&text, reason);
    }

    fn broken(&mut self, text: &str) {
        self.close_leaf(true);
        self.is_outline |= text.get(1..8).is_some_and(|name| is(name, "outline"));
        self.add_problem(&collapse_space(text), OutlineReason::Malformed);
    }

    fn add_problem(&mut self, text: &str, reason: OutlineReason) {
        if self.outline.problems.len() < MAX_PROBLEMS {
            let text = excerpt(&redact_text(text), MAX_NAME);
            self.outline.problems.push(OutlineProblem { text, reason });
        }
    }
}

/// What the attributes of an entry say.
#[derive(Default)]
struct Entry<'a> {
    title: Option<Cow<'a, str>>,
    text: Option<Cow<'a, str>>,
    feed: Option<Cow<'a, str>>,
    site: Option<Cow<'a, str>>,
    /// Its type is that of a feed.
    says_feed: bool,
    is_comment: bool,
}

impl<'a> Entry<'a> {
    fn of(tag: Tag<'a>) -> Self {
        let mut entry = Self::default();
        let mut url = None;
        for (name, value) in tag.attributes() {
            let value = Some(value).filter(|value| !value.trim().is_empty());
            match name.to_ascii_lowercase().as_str() {
                "title" => entry.title = entry.title.or(value),
                "text" => entry.text = entry.text.or(value),
                "xmlurl" | "xml_url" | "feedurl" => entry.feed = entry.feed.or(value),
                "htmlurl" | "html_url" => entry.site = entry.site.or(value),
                "url" => url = value,
                "type" => entry.says_feed = value.is_some_and(|kind| is_feed_type(kind.trim())),
                "iscomment" => entry.is_comment = value.is_some_and(|value| is(value.trim(), "true")),
                _ => {}
            }
        }
        if entry.says_feed {
            entry.feed = entry.feed.or(url);
        }
        entry
    }

    /// What it calls itself: the feed's title, else the text that is shown for it.
    fn name(&self) -> Option<String> {
        [&self.title, &self.text].into_iter().flatten().find_map(|name| title(name))
    }
}

fn title(text: &str) -> Option<String> {
    Some(excerpt(&plain_text(text), MAX_TITLE)).filter(|title| !title.is_empty())
}

/// The URL of a feed; `feed:` and the like are other names for `https:`.
fn feed_url(text: &str) -> Option<Url> {
    let text: String = text.chars().filter(|c| !matches!(c, '\n' | '\r' | '\t')).collect();
    let text = text.trim();
    let (scheme, rest) = text.split_once(':')?;
    let named = FEED_SCHEMES.iter().any(|name| is(scheme, name));
    let url = match rest.strip_prefix("//") {
        Some(address) if named => Url::parse(&format!("https://{address}")),
        None if named => Url::parse(rest),
        _ => Url::parse(text),
    };
    url.ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host())
}

fn is_feed_type(kind: &str) -> bool {
    let kind = kind.to_ascii_lowercase();
    ["rss", "atom", "json", "feed", "rdf"]
        .iter()
        .any(|name| kind.starts_with(name) || kind.contains(&format!("/{name}")))
}

fn is(name: &str, wanted: &str) -> bool {
    name.eq_ignore_ascii_case(wanted)
}

const FEED_SCHEMES: [&str; 4] = ["feed", "feeds", "pcast", "itpc"];

/// Folders in folders.
const MAX_DEPTH: usize = 64;
/// Characters of a folder's name, and of what a problem shows.
const MAX_NAME: usize = 120;
/// Characters of a feed's title.
const MAX_TITLE: usize = 500;
/// Problems that are told one by one.
const MAX_PROBLEMS: usize = 1000;
