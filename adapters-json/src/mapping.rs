//! What do the members of a JSON Feed mean?

use std::borrow::Cow;

use headwater_domain::feed::date::{FeedDate, parse_date};
use headwater_domain::feed::derived_title::derived_title;
use headwater_domain::feed::digest::raw_digest;
use headwater_domain::feed::{Content, ContentKind, Enclosure, FeedDocument, FeedItem, LinkFrom, WarningCode};
use headwater_domain::secret::{PrivateUrl, redact_content, redact_url};
use headwater_domain::text::plain_text;
use headwater_ports::Preset;
use url::Url;

use crate::wire::{Attachment, Author, Head, Text, WireItem};

/// What was doubted in an item.
pub(crate) type Doubts = Vec<(WarningCode, String)>;

/// Fills in what the document says of itself.
pub(crate) fn head(head: &Head<'_>, retrieved: Option<&Url>, document: &mut FeedDocument) {
    let own = resolve(head.feed_url.as_deref(), retrieved);
    let base = retrieved.or(own.as_ref());
    let link = resolve(head.home_page_url.as_deref(), base);
    let private = |text: &Text<'_>| resolve(text.as_deref(), base).map(PrivateUrl::new);
    document.title = plain(head.title.as_deref());
    document.description = plain(head.description.as_deref());
    document.image_url = private(&head.icon).or_else(|| private(&head.favicon));
    document.next_url = private(&head.next_url);
    document.language = head.language.as_deref().map(|tag| tag.trim().to_owned());
    document.complete = head.expired;
    let is_web_sub = |kind: &Text<'_>| kind.as_deref().is_some_and(|kind| kind.trim().eq_ignore_ascii_case("websub"));
    let hub = head.hubs.iter().find(|hub| is_web_sub(&hub.kind)).or(head.hubs.first());
    document.hub_url = hub.and_then(|hub| private(&hub.url));
    document.link = link.map(PrivateUrl::new);
    document.self_url = own.map(PrivateUrl::new);
}

/// What the relative URLs of the items are relative to: the site, else the feed.
pub(crate) fn base(document: &FeedDocument, retrieved: Option<&Url>) -> Option<Url> {
    let stated = document.link.as_ref().or(document.self_url.as_ref()).map(PrivateUrl::expose);
    stated.or(retrieved).cloned()
}

/// The item, or none if the preset leaves it out, and what was doubted on the way.
pub(crate) fn item(wire: &WireItem<'_>, base: Option<&Url>, preset: Preset) -> (Option<FeedItem>, Doubts) {
    let mut doubts = Doubts::new();
    let published = date(&wire.date_published, &mut doubts);
    let updated = date(&wire.date_modified, &mut doubts);
    let enclosures = enclosures(&wire.attachments, base, &mut doubts);
    let (link, link_from) = link(wire, base, &enclosures, &mut doubts);
    let own_base = link.as_ref().or(base).cloned();
    let body = |text: &Text<'_>, kind| {
        text.as_ref().map(|text| Content { raw: text.clone().into_owned(), kind, base: own_base.clone() })
    };
    let mut item = FeedItem {
        guid: wire.id.as_deref().map(|id| redacted_guid(id.trim())),
        title: plain(wire.title.as_deref()),
        published_at: published.map(|date| date.at),
        updated_at: updated.map(|date| date.at),
        date_zone: published.or(updated).map(|date| date.zone),
        authors: authors(&wire.authors),
        categories: categories(&wire.tags),
        description: body(&wire.summary, ContentKind::Text),
        content: body(&wire.content_html, ContentKind::Html).or_else(|| body(&wire.content_text, ContentKind::Text)),
        image_url: [&wire.image, &wire.banner_image]
            .into_iter()
            .find_map(|url| resolve(url.as_deref(), base))
            .map(PrivateUrl::new),
        language: wire.language.as_deref().map(|tag| tag.trim().to_owned()),
        link: link.map(PrivateUrl::new),
        link_from,
        enclosures,
        ..FeedItem::default()
    };
    if !is_kept(&item, preset) {
        return (None, doubts);
    }
    if item.title.is_none() && preset == Preset::Reader {
        item.title = derived_title(&item);
        item.title_derived = item.title.is_some();
    }
    item.raw_digest = raw_digest(&item);
    (Some(item), doubts)
}

fn is_kept(item: &FeedItem, preset: Preset) -> bool {
    match preset {
        Preset::Reader => {
            let named = item.guid.is_some() || item.link.is_some() || item.title.is_some();
            named || item.content.is_some() || item.description.is_some()
        }
        Preset::Torrent => item.title.is_some() && item.link.is_some(),
    }
}

/// The item's own URL, the one it points to, an id that is a URL, or the first attachment.
fn link(
    wire: &WireItem<'_>,
    base: Option<&Url>,
    enclosures: &[Enclosure],
    doubts: &mut Doubts,
) -> (Option<Url>, Option<LinkFrom>) {
    for stated in [&wire.url, &wire.external_url].into_iter().filter_map(Option::as_deref) {
        match resolve(Some(stated), base) {
            Some(url) => return (Some(url), Some(LinkFrom::Link)),
            None => doubts.push((WarningCode::BadUrl, "the item's url is no URL".to_owned())),
        }
    }
    let id = wire
        .id
        .as_deref()
        .and_then(|id| Url::parse(id.trim()).ok())
        .filter(|id| matches!(id.scheme(), "http" | "https"));
    if let Some(id) = id.filter(Url::has_host) {
        return (Some(id), Some(LinkFrom::Guid));
    }
    match enclosures.first() {
        Some(first) => (Some(first.url.expose().clone()), Some(LinkFrom::Enclosure)),
        None => (None, None),
    }
}

fn enclosures(attachments: &[Attachment<'_>], base: Option<&Url>, doubts: &mut Doubts) -> Vec<Enclosure> {
    let mut enclosures: Vec<Enclosure> = Vec::new();
    let mut seen = std::collections::HashSet::new();
    for attachment in attachments {
        let Some(url) = resolve(attachment.url.as_deref(), base) else {
            doubts.push((WarningCode::BadUrl, "an attachment has no url, or one that is none".to_owned()));
            continue;
        };
        if seen.insert(url.clone()) {
            let mime = attachment.mime_type.as_deref().map(|mime| mime.trim().to_ascii_lowercase());
            enclosures.push(Enclosure { url: PrivateUrl::new(url), mime, length: attachment.size_in_bytes });
        }
    }
    enclosures
}

fn date(text: &Text<'_>, doubts: &mut Doubts) -> Option<FeedDate> {
    let text = text.as_deref()?;
    let date = parse_date(text);
    if date.is_none() {
        doubts.push((WarningCode::BadDate, "a date could not be read".to_owned()));
    }
    date
}

fn redacted_guid(guid: &str) -> String {
    if guid.contains("://") { redact_url(guid).into_owned() } else { redact_content(guid).into_owned() }
}

/// Names, or addresses where there is no name, each once.
fn authors(authors: &[Author<'_>]) -> Vec<String> {
    let names = authors.iter().filter_map(|author| {
        let address = || author.url.as_deref().and_then(|url| url.trim().strip_prefix("mailto:").map(str::to_owned));
        plain(author.name.as_deref()).or_else(address)
    });
    each_once(names)
}

fn categories(tags: &[Cow<'_, str>]) -> Vec<String> {
    each_once(tags.iter().filter_map(|tag| plain(Some(tag))))
}

fn each_once(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    texts.filter(|text| seen.insert(text.clone())).collect()
}

fn plain(text: Option<&str>) -> Option<String> {
    text.map(|text| redact_content(&plain_text(text)).into_owned()).filter(|text| !text.is_empty())
}

fn resolve(text: Option<&str>, base: Option<&Url>) -> Option<Url> {
    let text = text?.trim();
    match base {
        Some(base) => base.join(text).ok(),
        None => Url::parse(text).ok(),
    }
}
