//! What `cli::feed::json` is held to.

use headwater_domain::feed::{ContentKind, DateZone, FeedFormat, LinkFrom, WarningCode};
use headwater_ports::MockSanitiser;
use serde_json::json;

use super::*;

fn content(raw: &str) -> Option<Content> {
    Some(Content { raw: raw.to_owned(), kind: ContentKind::Html, base: None })
}

fn url(text: &str) -> PrivateUrl {
    PrivateUrl::new(text.parse().unwrap())
}

fn shown(document: &FeedDocument) -> serde_json::Value {
    let mut sanitiser = MockSanitiser::new();
    sanitiser.expect_sanitise().returning(|content| content.raw.replace("<script>", ""));
    serde_json::to_value(document_json(document, &sanitiser, Timestamp::UNIX_EPOCH)).unwrap()
}

#[test]
fn what_has_no_value_is_left_out() {
    let mut document = FeedDocument::empty(FeedFormat::Atom10);
    document.items.push(FeedItem {
        title: Some(String::new()),
        description: content("<script>"),
        ..FeedItem::default()
    });
    assert_eq!(
        shown(&document),
        json!({
            "format": "atom1.0", "encoding": "utf-8", "repaired": false, "truncated": false, "warnings": [],
            "items": [{ "title_derived": false, "fetched_at": "1970-01-01T00:00:00Z" }]
        })
    );
}

#[test]
fn secrets_are_redacted_and_bodies_sanitised() {
    let mut document = FeedDocument::empty(FeedFormat::Rss20);
    document.updated_at = Some(Timestamp::from_second(1).unwrap());
    document.skip_days = vec![Weekday::Sunday];
    document.warnings = vec![Warning { code: WarningCode::BadDate, detail: "x".to_owned(), item: Some(0) }];
    document.items.push(FeedItem {
        guid: Some("g".to_owned()),
        link: Some(url("https://u:p@a.example/?passkey=hush&x=1")),
        link_from: Some(LinkFrom::Link),
        date_zone: Some(DateZone::Assumed),
        content: content("<script><a href=\"https://a.example/?x=1&amp;passkey=hush\">"),
        enclosures: vec![Enclosure {
            url: url("https://a.example/f?passkey=hush"),
            mime: Some(String::new()),
            length: Some(7),
        }],
        raw_digest: "d".to_owned(),
        ..FeedItem::default()
    });
    assert_eq!(
        shown(&document),
        json!({
            "format": "rss2.0", "updated_at": "1970-01-01T00:00:01Z", "skip_days": ["sunday"], "encoding": "utf-8",
            "repaired": false, "truncated": false, "warnings": [{ "code": "bad_date", "detail": "x", "item": 0 }],
            "items": [{
                "guid": "g", "title_derived": false, "link": "https://a.example/?passkey=[REDACTED]&x=1", "link_from": "link",
                "date_zone": "assumed", "content_html": "<a href=\"https://a.example/?x=1&amp;passkey=[REDACTED]\">",
                "enclosure_url": "https://a.example/f?passkey=[REDACTED]", "enclosure_has_secret": true, "size": 7,
                "enclosures": [{ "url": "https://a.example/f?passkey=[REDACTED]", "length": 7 }],
                "raw_digest": "d", "fetched_at": "1970-01-01T00:00:00Z"
            }]
        })
    );
}

#[test]
fn what_few_say_stands_among_the_other_fields() {
    use headwater_domain::feed::extras::{Document, FeedExtras, Funding, ItemExtras, Licence, Person, ReplyTo};
    use headwater_domain::feed::place::Place;
    let document = |path: &str| Document { url: url(path), mime: Some("text/vtt".to_owned()), language: None };
    let person = Person { name: "Ann".to_owned(), role: Some("host".to_owned()), url: None, image_url: None };
    let mut feed = FeedDocument::empty(FeedFormat::Rss20);
    feed.extras = FeedExtras {
        podcast_guid: Some("g".to_owned()),
        locked: Some(false),
        funding: vec![Funding { url: url("https://a.example/?passkey=hush"), text: None }],
        ..FeedExtras::default()
    }
    .boxed();
    let extras = ItemExtras {
        place: Place::new(1.5, -2.0),
        in_reply_to: Some(ReplyTo { guid: "q".to_owned(), url: Some(url("https://a.example/q")) }),
        comment_count: Some(0),
        duration_seconds: Some(60),
        transcripts: vec![document("https://a.example/t?passkey=hush")],
        people: vec![person],
        licence: Some(Licence { name: Some("cc0".to_owned()), url: None }),
        ..ItemExtras::default()
    };
    feed.items.push(FeedItem { extras: extras.boxed(), ..FeedItem::default() });
    assert_eq!(
        shown(&feed),
        json!({
            "format": "rss2.0", "podcast_guid": "g", "locked": false,
            "funding": [{ "url": "https://a.example/?passkey=[REDACTED]" }],
            "encoding": "utf-8", "repaired": false, "truncated": false, "warnings": [],
            "items": [{
                "title_derived": false, "place": { "latitude": 1.5, "longitude": -2.0 },
                "in_reply_to": { "guid": "q", "url": "https://a.example/q" }, "comment_count": 0, "duration_seconds": 60,
                "transcripts": [{ "url": "https://a.example/t?passkey=[REDACTED]", "mime": "text/vtt" }],
                "people": [{ "name": "Ann", "role": "host" }], "licence": { "name": "cc0" },
                "fetched_at": "1970-01-01T00:00:00Z"
            }]
        })
    );
}
