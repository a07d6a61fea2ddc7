//! What `parser` is held to.

use headwater_domain::ErrorKind;
use headwater_domain::feed::{FeedDocument, FeedItem};
use headwater_ports::{FeedInput, FeedParser};
use jiff::Timestamp;
use proptest::prelude::*;
use url::Url;

use super::XmlFeedParser;

fn parse(bytes: &[u8]) -> headwater_ports::Result<FeedDocument> {
    let base = Url::parse("https://example.org/feed.xml").expect("a URL");
    XmlFeedParser::new().parse(&FeedInput { base_url: Some(&base), ..FeedInput::new(bytes) })
}

/// What an item says, without what a parser adds.
#[derive(Debug, Clone, PartialEq)]
struct Said {
    guid: String,
    title: String,
    path: String,
    at: i64,
    authors: Vec<String>,
    categories: Vec<String>,
    body: String,
}

impl Said {
    fn of(item: &FeedItem) -> Self {
        let link = item.link.as_ref().expect("a link").expose();
        Self {
            guid: item.guid.clone().expect("a guid"),
            title: item.title.clone().expect("a title"),
            path: link.path().to_owned(),
            at: item.published_at.expect("a date").as_second(),
            authors: item.authors.clone(),
            categories: item.categories.clone(),
            body: item.content.as_ref().expect("a body").raw.clone(),
        }
    }

    fn rss(&self) -> String {
        let date = Timestamp::from_second(self.at).expect("a time").strftime("%a, %d %b %Y %H:%M:%S GMT").to_string();
        let authors: String =
            self.authors.iter().map(|name| format!("<dc:creator>{}</dc:creator>", escape(name))).collect();
        format!(
            "<item><title>{}</title><link>{}</link><guid isPermaLink='false'>{}</guid><pubDate>{date}</pubDate>{authors}{}\
             <content:encoded><![CDATA[{}]]></content:encoded></item>",
            escape(&escape(&self.title)),
            self.path,
            escape(&self.guid),
            self.categories
                .iter()
                .map(|name| format!("<category>{}</category>", escape(&escape(name))))
                .collect::<String>(),
            self.body.replace("]]>", "]]]]><![CDATA[>"),
        )
    }

    fn atom(&self) -> String {
        let date = Timestamp::from_second(self.at).expect("a time");
        let authors: String =
            self.authors.iter().map(|name| format!("<author><name>{}</name></author>", escape(name))).collect();
        format!(
            "<entry><title>{}</title><link href=\"{}\"/><id>{}</id><published>{date}</published>{authors}{}\
             <content type='html'>{}</content></entry>",
            escape(&self.title),
            self.path,
            escape(&self.guid),
            self.categories
                .iter()
                .map(|name| format!("<category term=\"{}\"/>", escape(&escape(name))))
                .collect::<String>(),
            escape(&self.body),
        )
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

fn said() -> impl Strategy<Value = Said> {
    let word = "[A-Za-zÄéß中]{1,8}( [a-z&<1-9é水]{1,6}){0,3}";
    let names = prop::collection::btree_set("[A-Z][a-zé]{2,9}", 0..4);
    let tags = prop::collection::btree_set(word, 0..4);
    let numbers = (0_i64..2_000_000_000).prop_map(|at| at + 1_000_000);
    ("tag:[a-z0-9]{1,12}", word, "(/[a-z0-9]{1,8}){1,3}", numbers, names, tags, "<p>[ -~é]{1,40}</p>").prop_map(
        |(guid, title, path, at, authors, categories, body)| Said {
            guid,
            title,
            path,
            at,
            authors: authors.into_iter().collect(),
            categories: categories.into_iter().collect(),
            body,
        },
    )
}

fn documents(items: &[Said]) -> [String; 2] {
    let rss: String = items.iter().map(Said::rss).collect();
    let atom: String = items.iter().map(Said::atom).collect();
    [
        format!(
            "<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/' \
             xmlns:content='http://purl.org/rss/1.0/modules/content/'><channel><title>T</title>{rss}</channel></rss>"
        ),
        format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>T</title>{atom}</feed>"),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(items in prop::collection::vec(said(), 0..6)) {
        for text in documents(&items) {
            let document = parse(text.as_bytes()).expect("a feed");
            prop_assert!(!document.repaired && document.warnings.is_empty(), "{:?}", document.warnings);
            let read: Vec<Said> = document.items.iter().map(Said::of).collect();
            prop_assert_eq!(&read, &items);
        }
    }

    #[test]
    fn a_feed_cut_anywhere_gives_its_complete_items(items in prop::collection::vec(said(), 1..5), share in 0.3..1.0_f64) {
        for text in documents(&items) {
            let cut = text.floor_char_boundary((text.len() as f64 * share) as usize);
            let complete = text[..cut].matches("</item>").count() + text[..cut].matches("</entry>").count();
            let document = parse(&text.as_bytes()[..cut]).expect("a feed");
            let read: Vec<Said> = document.items.iter().map(Said::of).collect();
            prop_assert!(document.truncated);
            prop_assert_eq!(read.as_slice(), &items[..complete]);
        }
    }

    #[test]
    fn nothing_panics(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&bytes);
        let _ = parse(&[b"<rss><item>", bytes.as_slice()].concat());
    }
}

#[test]
fn the_parser_knows_its_own_by_a_glance() {
    let parser = XmlFeedParser::new();
    let of = |bytes: &[u8]| parser.recognises(&FeedInput::new(bytes));
    assert!(of(b"\n <rss/>") && of(b"\xEF\xBB\xBF<feed/>") && of(b"\xFF\xFE<\0r\0") && of(b"\0<\0r"));
    assert!(!of(b"{\"version\":1}") && !of(b"") && !of(b"plain"));
    assert!(
        parser.recognises(&FeedInput { content_type: Some("application/RSS+XML"), ..FeedInput::new(b"oops <rss/>") })
    );
}

#[test]
fn a_transfer_that_ended_early_is_truncated_whatever_the_text_says() {
    let text = b"<rss><channel><item><title>a</title></item></channel></rss>";
    let input = FeedInput { body_cut: true, ..FeedInput::new(text) };
    let document = XmlFeedParser::new().parse(&input).expect("a feed");
    assert!(document.truncated && !document.repaired);
    assert_eq!(document.items.len(), 1);
}

#[test]
fn no_message_holds_a_secret() {
    for text in [
        "<rss>&passkey=0123456789abcdef0123456789abcdef;<",
        "https://t.example.org/rss?passkey=0123456789abcdef0123456789abcdef",
    ] {
        let said = match parse(text.as_bytes()) {
            Ok(document) => format!("{:?}", document.warnings),
            Err(error) => format!("{error:?}"),
        };
        assert!(!said.contains("0123456789abcdef"), "{said}");
    }
    assert_eq!(parse(b"").map_err(|error| error.kind).err(), Some(ErrorKind::EmptyBody));
}
