//! What the JSON Feed parser is held to.

use headwater_domain::feed::{ContentKind, DateZone, FeedFormat, LinkFrom};
use headwater_domain::secret::PrivateUrl;
use headwater_ports::Preset;
use proptest::prelude::*;
use url::Url;

use super::*;

fn parse(text: &str) -> Result<FeedDocument> {
    JsonFeedParser.parse(&FeedInput::new(text.as_bytes()))
}

/// A feed of version 1.1 around items.
fn feed(items: &str) -> FeedDocument {
    parse(&format!(
        r#"{{"version":"https://jsonfeed.org/version/1.1","home_page_url":"https://example.org/","items":[{items}]}}"#
    ))
    .expect("a feed")
}

#[track_caller]
fn refused(text: &str, kind: ErrorKind) -> Error {
    let error = parse(text).expect_err("no feed");
    assert_eq!(error.kind, kind, "{text:?}: {error}");
    error
}

fn guids(document: &FeedDocument) -> Vec<&str> {
    document.items.iter().filter_map(|item| item.guid.as_deref()).collect()
}

fn codes(document: &FeedDocument) -> Vec<(WarningCode, Option<usize>)> {
    document.warnings.iter().map(|warning| (warning.code, warning.item)).collect()
}

fn shown(url: &Option<PrivateUrl>) -> Option<String> {
    url.as_ref().map(PrivateUrl::redacted)
}

const WHOLE: &str = r#"{
  "version": "https://jsonfeed.org/version/1.1", "title": "Boats &amp; <b>rivers</b>", "home_page_url": "/", "feed_url": "https://example.org/feed.json",
  "description": "All  about", "icon": "/icon.png", "favicon": "/favicon.ico", "next_url": "?page=2", "language": "en-GB", "expired": true,
  "hubs": [{"type": "other", "url": "https://hub.example/o"}, {"type": "WebSub", "url": "https://hub.example/"}],
  "items": [{
    "id": 17, "url": "a/1", "external_url": "https://other.example/", "title": "One &lt;", "content_html": "<p>Text</p>", "content_text": "Text",
    "summary": "A < b", "image": "/1.png", "date_published": "2024-05-01T10:00:00+02:00", "date_modified": "2024-05-02T10:00:00",
    "authors": [{"name": "Ann"}, {"name": "Ann"}, {"url": "mailto:bob@example.org"}, {"url": "https://example.org/c"}],
    "tags": ["x", 2, "x", " "], "language": "de",
    "attachments": [{"url": "/1.mp3?passkey=0123456789abcdef0123456789abcdef", "mime_type": "audio/MPEG", "size_in_bytes": "123", "duration_in_seconds": 3.5}]
  }]
}"#;

#[test]
fn everything_that_the_format_has_is_read() {
    let base = Url::parse("https://example.org/feed.json").expect("a URL");
    let document =
        JsonFeedParser.parse(&FeedInput { base_url: Some(&base), ..FeedInput::new(WHOLE.as_bytes()) }).expect("a feed");
    assert_eq!(document.format, FeedFormat::Json11);
    assert_eq!(document.title.as_deref(), Some("Boats & rivers"));
    assert_eq!(document.description.as_deref(), Some("All about"));
    assert_eq!(shown(&document.link).as_deref(), Some("https://example.org/"));
    assert_eq!(shown(&document.self_url).as_deref(), Some("https://example.org/feed.json"));
    assert_eq!(shown(&document.image_url).as_deref(), Some("https://example.org/icon.png"));
    assert_eq!(shown(&document.next_url).as_deref(), Some("https://example.org/feed.json?page=2"));
    assert_eq!(shown(&document.hub_url).as_deref(), Some("https://hub.example/"));
    assert_eq!(document.language.as_deref(), Some("en-GB"));
    assert!(document.complete && !document.truncated && !document.repaired);
    let [item] = &document.items[..] else { panic!("one item") };
    assert_eq!(item.guid.as_deref(), Some("17"));
    assert_eq!((shown(&item.link).as_deref(), item.link_from), (Some("https://example.org/a/1"), Some(LinkFrom::Link)));
    assert_eq!(item.title.as_deref(), Some("One <"));
    let content = item.content.as_ref().expect("a body");
    assert_eq!((content.raw.as_str(), content.kind), ("<p>Text</p>", ContentKind::Html));
    let summary = item.description.as_ref().expect("a summary");
    assert_eq!((summary.raw.as_str(), summary.kind), ("A < b", ContentKind::Text));
    assert_eq!(item.published_at.map(|at| at.to_string()).as_deref(), Some("2024-05-01T08:00:00Z"));
    assert_eq!(item.updated_at.map(|at| at.to_string()).as_deref(), Some("2024-05-02T10:00:00Z"));
    assert_eq!(item.date_zone, Some(DateZone::Stated));
    assert_eq!(item.authors, ["Ann", "bob@example.org"]);
    assert_eq!(item.categories, ["x", "2"]);
    let [enclosure] = &item.enclosures[..] else { panic!("one enclosure") };
    assert_eq!(enclosure.url.redacted(), "https://example.org/1.mp3?passkey=[REDACTED]");
    assert_eq!((enclosure.mime.as_deref(), enclosure.length), (Some("audio/mpeg"), Some(123)));
    assert!(!item.raw_digest.is_empty());
}

#[test]
fn versions_tell_the_format() {
    let format =
        |version: &str| parse(&format!(r#"{{"version":{version},"items":[]}}"#)).map(|document| document.format);
    assert_eq!(format(r#""https://jsonfeed.org/version/1""#).ok(), Some(FeedFormat::Json10));
    assert_eq!(format(r#""http://www.jsonfeed.org/version/1.0/""#).ok(), Some(FeedFormat::Json10));
    assert_eq!(format(r#""https://jsonfeed.org/version/2""#).ok(), Some(FeedFormat::Json11));
    assert_eq!(format("1.1").ok(), Some(FeedFormat::Json11));
    assert_eq!(format("7").map_err(|error| error.kind), Err(ErrorKind::NotAFeed));
}

#[test]
fn members_of_the_wrong_type_count_as_absent() {
    let document = feed(
        r#"{"id":true,"url":{},"title":["x"],"content_html":null,"content_text":"text","date_published":"soon","authors":"Ann","tags":"one",
            "attachments":[{"url":"a.mp3","size_in_bytes":1e300},{"url":"b.mp3","size_in_bytes":12.0},{"size_in_bytes":1},"c"]}"#,
    );
    let item = &document.items[0];
    assert_eq!((item.guid.as_deref(), item.published_at), (None, None));
    assert_eq!((item.title.as_deref(), item.title_derived), (Some("text"), true));
    assert_eq!((item.authors.join(","), item.categories.join(",")), ("Ann".to_owned(), "one".to_owned()));
    assert_eq!(item.enclosures.iter().map(|enclosure| enclosure.length).collect::<Vec<_>>(), [None, Some(12)]);
    assert_eq!(item.link_from, Some(LinkFrom::Enclosure));
    assert_eq!(codes(&document), [(WarningCode::BadDate, Some(0)), (WarningCode::BadUrl, Some(0))]);
}

#[test]
fn dates_may_be_numbers() {
    let document = feed(r#"{"id":"a","date_published":1714557600},{"id":"b","date_modified":1714557600000}"#);
    assert_eq!(document.items[0].published_at, document.items[1].updated_at);
    assert!(document.items[0].published_at.is_some());
}

#[test]
fn links_come_from_the_best_place_there_is() {
    let document = feed(
        r#"{"id":"https://example.org/1","external_url":"https://other.example/"},{"id":"https://example.org/2"},{"id":"tag:3"},
           {"id":4,"attachments":[{"url":"4.mp3"}]}"#,
    );
    let from: Vec<_> = document.items.iter().map(|item| item.link_from).collect();
    assert_eq!(from, [Some(LinkFrom::Link), Some(LinkFrom::Guid), None, Some(LinkFrom::Enclosure)]);
    assert_eq!(shown(&document.items[0].link).as_deref(), Some("https://other.example/"));
}

#[test]
fn a_bad_item_costs_that_item() {
    let document = feed(r#"{"id":"a"}, {"date_published":"2024-05-02T10:00:00Z"}, null, "x", {"id" "b"}, {"id":"c"},"#);
    assert_eq!(guids(&document), ["a", "c"]);
    let skipped: Vec<_> = [1, 2, 3, 4].map(|item| (WarningCode::ItemSkipped, Some(item))).into();
    assert_eq!(codes(&document), skipped);
}

#[test]
fn a_cut_document_gives_its_whole_items() {
    let text = r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"a"},{"id":"b","title":"}]"},{"id":"c","title":"cut \"#;
    let start = text.find('[').expect("it has items") + 1;
    let ends = [r#""a"}"#, r#""}]"}"#].map(|end| text.find(end).expect("it stands there") + end.len());
    for cut in start..text.len() {
        let document = parse(&text[..cut]).expect("a feed");
        assert!(document.truncated, "{cut}");
        assert_eq!(document.items.len(), ends.iter().filter(|end| cut >= **end).count(), "{cut}");
    }
    let sound = r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"a"}]}"#;
    let document =
        JsonFeedParser.parse(&FeedInput { body_cut: true, ..FeedInput::new(sound.as_bytes()) }).expect("a feed");
    assert!(document.truncated);
    assert!(!parse(sound).expect("a feed").truncated);
}

#[test]
fn limits_hold() {
    let text = format!(
        r#"{{"version":"https://jsonfeed.org/version/1.1","items":[{}{{"id":0}}]}}"#,
        r#"{},{"id":1},"#.repeat(999)
    );
    assert_eq!(guids(&parse(&text).expect("a feed")).len(), 1000);
    assert!(!parse(&text).expect("a feed").truncated);
    let over = text.replace("]}", r#",{"id":2}]}"#);
    let document = parse(&over).expect("a feed");
    assert!(document.truncated);
    assert_eq!(document.items.len(), 1000);
    assert!(document.warnings.len() <= 101);
    let document =
        JsonFeedParser.parse(&FeedInput { max_bytes: 100, ..FeedInput::new(text.as_bytes()) }).expect("a feed");
    assert!(document.truncated);
    assert_eq!(document.items.len(), 3);
    let deep = format!(r#"{{"version":"https://jsonfeed.org/version/1.1","x":{},"items":[]}}"#, "[".repeat(1_000_000));
    refused(&deep, ErrorKind::TooDeep);
}

#[test]
fn strings_are_read_whatever_is_in_them() {
    let document =
        feed("{\"id\":\"a\\/b\",\"title\":\"caf\\u00e9 \\ud83d\\ude00 \\ud83d \\q \\u12 tab\there\\u0000\"}");
    assert_eq!(document.items[0].guid.as_deref(), Some("a/b"));
    assert_eq!(document.items[0].title.as_deref(), Some("café 😀 \u{fffd} q \\u12 tab here"));
}

#[test]
fn encodings_are_told_by_the_mark_or_the_zero_bytes() {
    let text = r#"{"version":"https://jsonfeed.org/version/1.1","title":"é€😀","items":[]}"#;
    let utf_16 = |mark: &str, big: bool| -> Vec<u8> {
        let units = mark.encode_utf16().chain(text.encode_utf16());
        units.flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() }).collect()
    };
    let utf_32 = |mark: &str, big: bool| -> Vec<u8> {
        let characters = mark.chars().chain(text.chars()).map(u32::from);
        characters.flat_map(|value| if big { value.to_be_bytes() } else { value.to_le_bytes() }).collect()
    };
    let mark = "\u{feff}";
    let forms = [
        ("utf-8", text.as_bytes().to_vec()),
        ("utf-8", [mark.as_bytes(), text.as_bytes()].concat()),
        ("utf-16le", utf_16(mark, false)),
        ("utf-16be", utf_16(mark, true)),
        ("utf-16le", utf_16("", false)),
        ("utf-16be", utf_16("", true)),
        ("utf-32le", utf_32(mark, false)),
        ("utf-32be", utf_32(mark, true)),
        ("utf-32le", utf_32("", false)),
        ("utf-32be", utf_32("", true)),
    ];
    for (encoding, bytes) in forms {
        assert!(JsonFeedParser.recognises(&FeedInput::new(&bytes)));
        let document = JsonFeedParser.parse(&FeedInput::new(&bytes)).expect("a feed");
        assert_eq!(
            (document.encoding.as_str(), document.title.as_deref(), document.repaired),
            (encoding, Some("é€😀"), false)
        );
    }
    let latin = b"{\"version\":\"https://jsonfeed.org/version/1\",\"title\":\"caf\xe9\"}";
    let stated = FeedInput { content_type: Some("application/json; charset=\"ISO-8859-1\""), ..FeedInput::new(latin) };
    let document = JsonFeedParser.parse(&stated).expect("a feed");
    assert_eq!((document.encoding.as_str(), document.title.as_deref()), ("windows-1252", Some("café")));
    let document = JsonFeedParser.parse(&FeedInput::new(latin)).expect("a feed");
    assert_eq!((document.title.as_deref(), document.repaired), (Some("caf\u{fffd}"), true));
}

#[test]
fn what_is_no_feed_is_named() {
    refused("", ErrorKind::EmptyBody);
    refused(" \n", ErrorKind::EmptyBody);
    refused("[1, 2]", ErrorKind::NotAFeed);
    refused("{", ErrorKind::NotAFeed);
    refused(r#"{"title":"Test"}"#, ErrorKind::NotAFeed);
    refused(r#"{"error":"Invalid passkey"}"#, ErrorKind::Auth);
    refused(r#"{"ok":false,"error":{"code":3,"message":"The link has expired"}}"#, ErrorKind::Expired);
    let error = refused(r#"{"status":500,"error":"no such host token=abcdefabcdefabcdef1234"}"#, ErrorKind::NotAFeed);
    let text = error.to_string();
    assert!(
        text.contains("status, error") && text.contains("no such host") && !text.contains("abcdefabcdef"),
        "{text}"
    );
    refused(r#"{"version":"https://jsonfeed.org/version/1","items":[]} trailing words"#, ErrorKind::Malformed);
    refused(r#"{"version":"https://jsonfeed.org/version/1":"items":[]}"#, ErrorKind::Malformed);
}

#[test]
fn a_scripts_warnings_behind_the_document_are_left_out() {
    let text = "{\"version\":\"https://jsonfeed.org/version/1\",\"items\":[]}\n<br /><b>Warning</b>";
    assert_eq!(codes(&parse(text).expect("a feed")), [(WarningCode::Garbage, None)]);
}

#[test]
fn the_torrent_preset_needs_a_title_and_a_link() {
    let text = r#"{"version":"https://jsonfeed.org/version/1.1","items":[{"id":"a","title":"A"},{"id":"b","url":"https://example.org/b"},
        {"id":"c","title":"C","url":"https://example.org/c"},{"title":"D","attachments":[{"url":"https://example.org/d.torrent"}]}]}"#;
    let document = JsonFeedParser
        .parse(&FeedInput { preset: Preset::Torrent, ..FeedInput::new(text.as_bytes()) })
        .expect("a feed");
    assert_eq!(document.items.iter().filter_map(|item| item.title.as_deref()).collect::<Vec<_>>(), ["C", "D"]);
}

proptest! {
    #[test]
    fn nothing_panics(text in r#"([\[\]{}:,"\\]|"id"|"items":\[|"version":"https://jsonfeed.org/version/1"|\\u[d-f]8|1|é|null){0,40}"#) {
        let _ = parse(&text);
        let inside = format!(r#"{{"version":"https://jsonfeed.org/version/1","items":[{text}"#);
        let _ = parse(&inside);
    }

    #[test]
    fn any_bytes_are_decoded(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
        let input = FeedInput::new(&bytes);
        let _ = JsonFeedParser.recognises(&input);
        let _ = JsonFeedParser.parse(&input);
    }

    #[test]
    fn any_title_survives(title in "[\\p{L}\\p{N}\"\\\\/\u{1f600}]{1,20}") {
        let text = serde_json::json!({"version": "https://jsonfeed.org/version/1.1", "items": [{"title": title}]}).to_string();
        let document = parse(&text).expect("a feed");
        prop_assert_eq!(document.items[0].title.as_deref(), Some(title.as_str()));
    }
}

#[test]
fn a_document_cut_before_its_first_item_is_the_connections_fault() {
    let cut = |text: &str| JsonFeedParser.parse(&FeedInput { body_cut: true, ..FeedInput::new(text.as_bytes()) });
    let head = r#"{"version":"https://jsonfeed.org/version/1.1","title":"T""#;
    for text in ["{", head, &format!("{head},\"items\":["), &format!("{head},\"items\":[{{\"id\":")] {
        assert_eq!(cut(text).expect_err("no feed").kind, ErrorKind::Connect, "{text}");
    }
    assert_eq!(cut(&format!("{head},\"items\":[{{\"id\":\"1\"}},{{\"i")).expect("a feed").items.len(), 1);
    assert!(cut(&format!("{head},\"items\":[]}}")).expect("a whole feed").items.is_empty());
}
