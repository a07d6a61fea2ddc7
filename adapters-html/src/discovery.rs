//! Which feeds a page announces.

mod anchor;
mod document;

use headwater_domain::feed::discovery::{FeedKind, FeedLink, FeedRole, FoundVia, rank};
use headwater_domain::feed::link_header::parse_link_header;
use headwater_domain::net::essence_of;
use headwater_domain::text::collapse_space;
use headwater_ports::{Headers, PageInput};
use url::Url;

use crate::scan::{Scanner, Tag, Token};
use crate::{address, charset};

/// The feeds of a page, best first. The page itself may be one; anchors count only where nothing else announces a feed.
pub(crate) fn feeds(page: &PageInput<'_>) -> Vec<FeedLink> {
    let bytes = &page.bytes[..page.bytes.len().min(MAX_SCANNED_BYTES)];
    let text = charset::decode(bytes, page.content_type);
    if let Some(kind) = document::kind(&text) {
        return vec![FeedLink {
            url: page.url.clone().into(),
            kind,
            title: document::title(&text),
            role: FeedRole::Main,
            via: FoundVia::Document,
        }];
    }
    let mut found = Page::read(&text, page.url);
    let base = found.base.as_ref().unwrap_or(page.url);
    let mut links: Vec<FeedLink> = found.links.iter().filter_map(|link| link.resolve(base)).collect();
    links.extend(page.headers.into_iter().flat_map(|headers| in_headers(headers, page.url)));
    if links.is_empty() {
        links = found.anchors.drain(..).filter_map(|anchor| anchor.resolve(base)).collect();
    }
    let mut ranked = rank(links);
    ranked.truncate(MAX_FEEDS);
    ranked
}

/// What a page says about feeds, in document order.
#[derive(Default)]
struct Page {
    base: Option<Url>,
    links: Vec<Announced>,
    anchors: Vec<anchor::Anchor>,
}

/// A `<link>` that announces a feed.
struct Announced {
    href: String,
    kind: FeedKind,
    title: Option<String>,
}

impl Page {
    fn read(text: &str, url: &Url) -> Self {
        let mut page = Self::default();
        let mut inert = 0_usize;
        let mut anchors = anchor::Collector::default();
        for token in Scanner::new(text) {
            match token {
                Token::Start(tag) if matches!(&*tag.name, "template" | "svg") => {
                    inert += usize::from(!tag.self_closing)
                }
                Token::End(name) if matches!(&*name, "template" | "svg") => inert = inert.saturating_sub(1),
                _ if inert > 0 => {}
                Token::Start(tag) => {
                    page.on_tag(&tag, url);
                    anchors.on_tag(&tag);
                }
                Token::End(name) => anchors.on_end(&name),
                Token::Text(text) => anchors.on_text(text),
                Token::Raw(_) => {}
            }
        }
        page.anchors = anchors.finish();
        page
    }

    fn on_tag(&mut self, tag: &Tag<'_>, url: &Url) {
        match &*tag.name {
            "base" if self.base.is_none() => {
                self.base = tag.attributes.value("href").and_then(|href| address::web(&href, Some(url)));
            }
            "link" if self.links.len() < MAX_FEEDS => self.links.extend(Announced::of(tag)),
            _ => {}
        }
    }
}

impl Announced {
    fn of(tag: &Tag<'_>) -> Option<Self> {
        let rel = tag.attributes.value("rel")?;
        let href = tag.attributes.value("href").filter(|href| !href.trim().is_empty())?;
        let title = tag.attributes.value("title").map(|title| collapse_space(&title)).filter(|title| !title.is_empty());
        let kind = announced_kind(&rel, tag.attributes.value("type").as_deref(), &href, title.as_deref())?;
        Some(Self { href: href.into_owned(), kind, title })
    }

    fn resolve(&self, base: &Url) -> Option<FeedLink> {
        let url = address::feed(&self.href, base)?;
        let role = FeedRole::of(self.title.as_deref(), &url);
        Some(FeedLink { url: url.into(), kind: self.kind, title: self.title.clone(), role, via: FoundVia::Link })
    }
}

/// The feeds in the `Link` headers; their addresses are relative to the response, not to a `<base>`.
fn in_headers(headers: &Headers, url: &Url) -> Vec<FeedLink> {
    let values = headers.all("link").map(String::from_utf8_lossy);
    let links = values.flat_map(|value| parse_link_header(&value)).take(MAX_FEEDS);
    links
        .filter_map(|link| {
            let kind = announced_kind(link.parameter("rel")?, link.parameter("type"), &link.target, link.title())?;
            let target = address::feed(&link.target, url)?;
            let title = link.title().map(collapse_space).filter(|title| !title.is_empty());
            let role = FeedRole::of(title.as_deref(), &target);
            Some(FeedLink { url: target.into(), kind, title, role, via: FoundVia::Header })
        })
        .collect()
}

/// The family of a link by its relation and type; `None` if it leads to no feed.
fn announced_kind(rel: &str, media_type: Option<&str>, href: &str, title: Option<&str>) -> Option<FeedKind> {
    let has = |token: &str| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(token));
    if has("stylesheet") || !(has("alternate") || has("feed")) {
        return None;
    }
    let media_type = media_type.map(str::trim).filter(|media_type| !media_type.is_empty());
    match media_type {
        Some(media_type) => FeedKind::of_media_type(media_type).or_else(|| generic(media_type, href, title)),
        None if has("feed") => Some(anchor::kind_of_address(href)),
        None => None,
    }
}

/// A type that only says JSON or XML leads to a feed if the page calls it one.
fn generic(media_type: &str, href: &str, title: Option<&str>) -> Option<FeedKind> {
    let essence = essence_of(media_type);
    let called = format!("{} {}", href, title.unwrap_or_default()).to_lowercase();
    let says = |word: &str| called.contains(word);
    match &*essence {
        "application/json" if says("feed") && !says("wp-json/") && !says("oembed") => Some(FeedKind::Json),
        "text/xml" | "application/xml" if says("atom") => Some(FeedKind::Atom),
        "text/xml" | "application/xml" if says("rss") || says("feed") => Some(FeedKind::Rss),
        _ => None,
    }
}

const MAX_SCANNED_BYTES: usize = headwater_domain::limits::MAX_PAGE_BYTES as usize;
const MAX_FEEDS: usize = 100;

#[cfg(test)]
mod tests;
