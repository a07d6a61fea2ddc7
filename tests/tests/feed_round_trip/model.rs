//! Which documents a format can carry without loss.

use headwater_domain::feed::digest::raw_digest;
use headwater_domain::feed::{
    Content, ContentKind, DateZone, Enclosure, FeedDocument, FeedFormat, FeedItem, LinkFrom, Weekday,
};
use headwater_domain::secret::PrivateUrl;
use jiff::Timestamp;
use proptest::collection::{btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use url::Url;

/// Where the written documents are said to be fetched.
pub(crate) const RETRIEVED: &str = "https://feeds.example/feed";

/// A URL that is one.
pub(crate) fn url(text: &str) -> Url {
    Url::parse(text).expect("a URL")
}

/// Any document that the format can carry.
pub(crate) fn document(format: FeedFormat) -> impl Strategy<Value = FeedDocument> {
    (head(), vec(item(), 0..6)).prop_map(move |(head, items)| {
        let mut document = FeedDocument { format, ..head };
        document.items = items.into_iter().enumerate().map(|(number, item)| numbered(item, number)).collect();
        fit(document)
    })
}

/// Plain text in its normal form: collapsed, and anything but secrets in it.
fn text() -> impl Strategy<Value = String> {
    vec("[a-zA-Z0-9éßñ中文😀&<>\"'#;,.!\\]\\[-]{1,8}", 1..5).prop_map(|words| words.join(" "))
}

fn web(path: &'static str) -> impl Strategy<Value = PrivateUrl> {
    (0..10_000u32, "[a-z]{1,5}")
        .prop_map(move |(n, word)| PrivateUrl::new(url(&format!("https://site.example/{path}/{n}?q={word}&r=%26{n}"))))
}

fn time() -> impl Strategy<Value = Timestamp> {
    (946_684_800..2_000_000_000i64).prop_map(|second| Timestamp::from_second(second).expect("a time"))
}

fn language() -> impl Strategy<Value = String> {
    prop_oneof![Just("en"), Just("de-AT"), Just("zh-Hant")].prop_map(str::to_owned)
}

fn head() -> impl Strategy<Value = FeedDocument> {
    let texts = (option::of(text()), option::of(text()), option::of(language()));
    let urls =
        (web("home"), option::of(web("self")), option::of(web("hub")), option::of(web("next")), option::of(web("old")));
    let rest = (option::of(web("image")), option::of(time()), option::of(1..10_000u32), any::<bool>());
    let skipped = (btree_set(0..24u8, 0..5), proptest::sample::subsequence(DAYS.to_vec(), 0..4));
    (texts, urls, rest, skipped).prop_map(|(texts, urls, rest, skipped)| FeedDocument {
        title: texts.0,
        description: texts.1,
        language: texts.2,
        link: Some(urls.0),
        self_url: urls.1,
        hub_url: urls.2,
        next_url: urls.3,
        prev_archive_url: urls.4,
        image_url: rest.0,
        updated_at: rest.1,
        ttl_minutes: rest.2,
        complete: rest.3,
        skip_hours: skipped.0.into_iter().collect(),
        skip_days: skipped.1,
        ..FeedDocument::empty(FeedFormat::Rss20)
    })
}

fn item() -> impl Strategy<Value = FeedItem> {
    let names = (vec("[A-Z][a-z]{1,6} [A-Z][a-zé]{1,6}", 0..4), btree_set("[a-zé]{2,6}( [a-z&<]{2,6})?", 0..4));
    let times = (option::of(time()), option::of(time()));
    let bodies = (option::of(body()), option::of(body()));
    let urls = (option::of(web("image")), option::of(web("comments")), option::of(language()));
    (text(), names, times, bodies, vec(enclosure(), 0..3), urls, any::<bool>()).prop_map(
        |(title, (authors, categories), times, bodies, enclosures, urls, has_link)| FeedItem {
            title: Some(title),
            authors: distinct(authors),
            categories: categories.into_iter().collect(),
            published_at: times.0,
            updated_at: times.1,
            description: bodies.0,
            content: bodies.1,
            // A link that is missing would be taken from an enclosure.
            link_from: (has_link || !enclosures.is_empty()).then_some(LinkFrom::Link),
            enclosures,
            image_url: urls.0,
            comments_url: urls.1,
            language: urls.2,
            ..FeedItem::default()
        },
    )
}

/// A body of HTML; some formats make a text of it.
fn body() -> impl Strategy<Value = Content> {
    let piece = prop_oneof![
        Just("<p>Tom &amp; Ann</p>"),
        Just("<br/>"),
        Just("plain words"),
        Just("<a href=\"/x?a=1&amp;b=2\">x</a>"),
        Just("]]>"),
        Just("&lt;b&gt;"),
        Just("<img src='a.png'>"),
        Just("1 < 2 && 3"),
        Just("中文，😀"),
    ];
    vec(piece, 1..6).prop_map(|pieces| Content { raw: pieces.join("-"), kind: ContentKind::Html, base: None })
}

fn enclosure() -> impl Strategy<Value = Enclosure> {
    let mime = prop_oneof![Just("audio/mpeg"), Just("video/mp4"), Just("application/x-bittorrent")];
    (web("file"), mime, option::of(0..u64::MAX / 2)).prop_map(|(url, mime, length)| Enclosure {
        url,
        mime: Some(mime.to_owned()),
        length,
    })
}

fn distinct(authors: Vec<String>) -> Vec<String> {
    let mut seen = std::collections::HashSet::new();
    authors.into_iter().filter(|author| seen.insert(author.to_lowercase())).collect()
}

/// Gives an item what must differ from item to item.
fn numbered(item: FeedItem, number: usize) -> FeedItem {
    let is_url = number.is_multiple_of(2);
    let guid = if is_url && item.link_from.is_some() {
        format!("https://site.example/?p={number}")
    } else {
        format!("urn:item:{number}")
    };
    let link = item.link_from.map(|_| PrivateUrl::new(url(&format!("https://site.example/item/{number}"))));
    let mut enclosures = item.enclosures;
    enclosures.dedup_by(|one, other| one.url == other.url);
    FeedItem { guid: Some(guid), link, enclosures, ..item }
}

/// Takes out what the format cannot say, and puts in what it implies.
fn fit(document: FeedDocument) -> FeedDocument {
    let format = document.format;
    let mut document = match format {
        FeedFormat::Json11 => FeedDocument {
            prev_archive_url: None,
            updated_at: None,
            ttl_minutes: None,
            skip_hours: Vec::new(),
            skip_days: Vec::new(),
            ..document
        },
        FeedFormat::Atom10 => FeedDocument {
            ttl_minutes: None,
            skip_hours: Vec::new(),
            skip_days: Vec::new(),
            complete: false,
            ..document
        },
        _ => document,
    };
    let items = std::mem::take(&mut document.items);
    document.items = items.into_iter().map(|item| fit_item(item, &document)).collect();
    document
}

fn fit_item(item: FeedItem, document: &FeedDocument) -> FeedItem {
    let mut item = match document.format {
        FeedFormat::Json11 => FeedItem { comments_url: None, ..item },
        FeedFormat::Atom10 => FeedItem { language: None, ..item },
        _ => FeedItem {
            guid_is_permalink: item.guid.as_ref().map(|guid| guid.starts_with("https:")),
            nickname: item.authors.first().cloned(),
            ..item
        },
    };
    let home = document.link.as_ref().map(PrivateUrl::expose);
    let base = match document.format {
        FeedFormat::Json11 => item.link.as_ref().map(PrivateUrl::expose).or(home).cloned(),
        FeedFormat::Atom10 => Some(url(RETRIEVED)),
        _ => home.cloned(),
    };
    let is_json = document.format == FeedFormat::Json11;
    if let Some(summary) = item.description.as_mut().filter(|_| is_json) {
        summary.kind = ContentKind::Text;
    }
    for body in item.description.iter_mut().chain(&mut item.content) {
        body.base.clone_from(&base);
    }
    item.date_zone = item.published_at.or(item.updated_at).map(|_| DateZone::Stated);
    item.raw_digest = raw_digest(&item);
    item
}

const DAYS: [Weekday; 7] = [
    Weekday::Monday,
    Weekday::Tuesday,
    Weekday::Wednesday,
    Weekday::Thursday,
    Weekday::Friday,
    Weekday::Saturday,
    Weekday::Sunday,
];
