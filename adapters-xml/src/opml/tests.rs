//! What `opml` is held to.

use headwater_domain::feed::outline::OutlineReason;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::SecretsInUrls;
use jiff::Timestamp;
use proptest::prelude::*;
use url::Url;

use super::*;

fn read(body: &str) -> Outline {
    OpmlFormat.read(body.as_bytes()).expect("a list")
}

/// Each feed as `folder/folder: title <url>`.
fn feeds(outline: &Outline) -> Vec<String> {
    let line = |feed: &OutlineFeed| {
        format!("{}: {} <{}>", feed.path.join("/"), feed.title.as_deref().unwrap_or("-"), feed.url.redacted())
    };
    outline.feeds.iter().map(line).collect()
}

fn problems(outline: &Outline) -> Vec<(&str, OutlineReason)> {
    outline.problems.iter().map(|problem| (problem.text.as_str(), problem.reason)).collect()
}

fn kind(text: &str) -> ErrorKind {
    OpmlFormat.read(text.as_bytes()).expect_err("no list").kind
}

const MESSY: &str = r#"<?xml version="1.0"?>
<opml version="1.0"><head><title>My &amp; feeds</title><ownerName>x</ownerName></head>
<body>
<!-- <outline xmlUrl="https://comment.example/"/> -->
<outline text="News & views">
  <outline text="Deep"><outline text="One" type="rss" xmlUrl="https://one.example/feed?a=1&b=2&copy=3" htmlUrl="https://one.example/"/></outline>
  <OUTLINE TITLE='Two' XMLURL='https://two.example/rss'></OUTLINE>
  <outline type="rss" url="https://three.example/rss" text="Three &lt;3 &amp;amp; more"/>
</outline>
<outline text="One again" xmlUrl="HTTPS://one.example:443/feed?a=1&amp;b=2&amp;copy=3#x"/>
<outline text="Site only" htmlUrl="https://four.example/"/>
<outline text="Empty folder"/>
<outline text="Typed" type="rss"></outline>
<outline text="Bad" xmlUrl="not a url"/>
<outline xmlUrl="javascript:alert(1)"/>
<outline text="Ignored" isComment="true"><outline text="In it" xmlUrl="https://five.example/"/></outline>
<outline text="Quote missing xmlUrl="https://six.example/
<outline text="After" xmlUrl="feed:https://seven.example/"/>
<outline text="A <b>bold</b> one" xmlUrl=" feed://eight.example/x "/>
</body></opml>"#;

#[test]
fn messy_lists_are_read() {
    let outline = read(MESSY);
    assert_eq!(outline.title.as_deref(), Some("My & feeds"));
    assert_eq!(
        feeds(&outline),
        [
            "News & views/Deep: One <https://one.example/feed?a=1&b=2&copy=3>",
            "News & views: Two <https://two.example/rss>",
            "News & views: Three <3 & more <https://three.example/rss>",
            ": After <https://seven.example/>",
            ": A bold one <https://eight.example/x>",
        ]
    );
    assert_eq!(outline.duplicates, 1);
    assert_eq!(
        problems(&outline),
        [
            ("Site only", OutlineReason::NoXmlUrl),
            ("Typed", OutlineReason::NoXmlUrl),
            ("Bad", OutlineReason::InvalidUrl),
            ("javascript:alert(1)", OutlineReason::InvalidUrl),
            ("<outline text=\"Quote missing xmlUrl=\"https://six.example/", OutlineReason::Malformed),
        ]
    );
    assert_eq!(outline.feeds[0].site_url.as_ref().map(PrivateUrl::redacted).as_deref(), Some("https://one.example/"));
}

#[test]
fn lists_without_their_frame_or_their_end_are_read() {
    assert_eq!(feeds(&read("<outline text=A xmlUrl=https://a.example/>")), [": A <https://a.example/>"]);
    assert_eq!(
        feeds(&read("<opml><body><outline text='F'><outline xmlUrl='https://a.example/'/></body>")),
        ["F: - <https://a.example/>"]
    );
    assert_eq!(feeds(&read("<opml><body></outline></outline><outline xmlUrl='https://a.example/'/>")).len(), 1);
    assert!(read("<opml version='2.0'></opml>").feeds.is_empty());
    let utf_16: Vec<u8> = "\u{feff}<opml><outline text='é' xmlUrl='https://a.example/'/></opml>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_eq!(feeds(&OpmlFormat.read(&utf_16).expect("a list")), [": é <https://a.example/>"]);
}

#[test]
fn what_is_no_list_is_refused() {
    assert_eq!(kind(" \n"), ErrorKind::EmptyBody);
    assert_eq!(kind("<html><body>Login</body></html>"), ErrorKind::Malformed);
    assert_eq!(kind("plain text"), ErrorKind::Malformed);
    assert_eq!(kind("<!DOCTYPE opml [<!ENTITY a 'b'>]><opml/>"), ErrorKind::DtdForbidden);
    assert_eq!(kind(&format!("<opml>{}", "<outline text='x'>".repeat(MAX_BYTES / 1000))), ErrorKind::TooDeep);
    assert_eq!(kind(&" ".repeat(MAX_BYTES + 1)), ErrorKind::BodyTooLarge);
    assert!(read("<!DOCTYPE opml SYSTEM 'opml.dtd'><opml/>").feeds.is_empty());
}

#[test]
fn problems_hold_no_secret() {
    let outline =
        read("<opml><outline xmlUrl='ftp://u:p@x.example/?passkey=0123456789abcdef0123456789abcdef'/></opml>");
    let text = format!("{:?}", outline.problems);
    assert!(!text.contains("0123456789") && !text.contains("u:p@"), "{text}");
}

fn options(secrets: SecretsInUrls) -> WriteOptions {
    let created_at = Timestamp::from_second(1_714_557_600).expect("a time");
    WriteOptions { title: "Feeds".to_owned(), created_at, secrets }
}

fn feed(url: &str, title: &str, path: &[String]) -> OutlineFeed {
    let url = PrivateUrl::new(Url::parse(url).expect("a URL"));
    let title = Some(title.to_owned());
    OutlineFeed { url, title, site_url: None, path: path.iter().map(|name| name.as_str().into()).collect() }
}

#[test]
fn lists_are_written_with_folders_once_and_without_secrets() {
    let in_folder = |folder: &str| vec![folder.to_owned()];
    let list = [
        feed("https://a.example/?passkey=hushhush", "A \"&\" <b>", &in_folder("F & G")),
        feed("https://b.example/", "B", &[]),
        feed("https://c.example/", "C", &in_folder("F & G")),
    ];
    let text = OpmlFormat.write(&list, &options(SecretsInUrls::Redacted));
    assert_eq!(
        text,
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n<head>\n<title>Feeds</title>\n\
         <dateCreated>Wed, 01 May 2024 10:00:00 GMT</dateCreated>\n</head>\n<body>\n\
         <outline type=\"rss\" text=\"B\" title=\"B\" xmlUrl=\"https://b.example/\"/>\n<outline text=\"F &amp; G\">\n\
         <outline type=\"rss\" text=\"A &quot;&amp;&quot; &lt;b&gt;\" title=\"A &quot;&amp;&quot; &lt;b&gt;\" \
         xmlUrl=\"https://a.example/?passkey=[REDACTED]\"/>\n\
         <outline type=\"rss\" text=\"C\" title=\"C\" xmlUrl=\"https://c.example/\"/>\n</outline>\n</body>\n</opml>\n"
    );
    assert!(OpmlFormat.write(&list, &options(SecretsInUrls::Kept)).contains("passkey=hushhush"));
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(paths in proptest::collection::vec(proptest::collection::vec("[a-c&'\"é]{1,3}", 0..4), 0..12)) {
        let list: Vec<_> = paths.iter().enumerate().map(|(n, path)| feed(&format!("https://{n}.example/?q={n}&r"), &format!("T{n} \"&'"), path)).collect();
        let outline = read(&OpmlFormat.write(&list, &options(SecretsInUrls::Redacted)));
        prop_assert!(outline.problems.is_empty());
        prop_assert_eq!(outline.feeds.len(), list.len());
        for feed in &list {
            prop_assert!(outline.feeds.contains(feed), "{:?}", feed);
        }
    }

    #[test]
    fn nothing_panics(text in "(<outline |</outline>|/>|>|xmlUrl=|\"|'|https://a.example/|<!|<!--|-->|&amp|é| |=){0,40}") {
        let _ = OpmlFormat.read(text.as_bytes());
    }
}
