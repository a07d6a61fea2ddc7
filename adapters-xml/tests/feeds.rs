//! Every pair of `tests/feeds`: a document, and what is read of it.
//!
//! `NAME` is the document, `NAME.expected` the outcome, and `NAME.given`, where it is there, what is known besides the
//! bytes: `base_url`, `content_type`, `preset`, `max_items`, `max_bytes`. `UPDATE=1` writes the outcomes anew.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

use headwater_adapters_xml::XmlFeedParser;
use headwater_domain::feed::{Content, FeedDocument, FeedItem};
use headwater_ports::{FeedInput, FeedParser, Preset};
use url::Url;

#[test]
fn every_feed_reads_as_expected() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/feeds");
    let mut documents: Vec<PathBuf> = fs::read_dir(&folder)
        .expect("the folder of feeds")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| !matches!(path.extension().and_then(|e| e.to_str()), Some("expected" | "given")))
        .collect();
    documents.sort();
    assert!(documents.len() >= 30, "the folder of feeds is not whole");
    let wrong: Vec<String> = documents.iter().filter_map(|path| difference(path)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn difference(path: &Path) -> Option<String> {
    let outcome = outcome(path);
    let beside = beside(path, "expected");
    if env::var_os("UPDATE").is_some() {
        fs::write(&beside, &outcome).expect("the outcome can be written");
        return None;
    }
    let expected = fs::read_to_string(&beside).unwrap_or_default();
    (expected != outcome).then(|| format!("{}\n--- expected\n{expected}--- got\n{outcome}", path.display()))
}

fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

fn outcome(path: &Path) -> String {
    let bytes = fs::read(path).expect("a document");
    let given = fs::read_to_string(beside(path, "given")).unwrap_or_default();
    let value = |name: &str| given.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix('='));
    let base_url = Url::parse(value("base_url").unwrap_or("https://example.org/feed.xml")).expect("a URL");
    let mut input = FeedInput::new(&bytes);
    input.base_url = Some(&base_url).filter(|_| value("base_url") != Some("none:"));
    input.content_type = value("content_type");
    input.preset = if value("preset") == Some("torrent") { Preset::Torrent } else { Preset::Reader };
    input.max_items = value("max_items").map_or(input.max_items, |items| items.parse().expect("a number"));
    input.max_bytes = value("max_bytes").map_or(input.max_bytes, |bytes| bytes.parse().expect("a number"));
    match XmlFeedParser::new().parse(&input) {
        Ok(document) => shown(&document),
        Err(error) => format!("refused: {}: {error}\n", error.kind),
    }
}

fn shown(document: &FeedDocument) -> String {
    let mut out = Shown(String::new());
    out.field("format", Some(document.format.as_str()));
    out.field("encoding", Some(&document.encoding));
    out.field("repaired", document.repaired.then_some("yes"));
    out.field("truncated", document.truncated.then_some("yes"));
    for warning in &document.warnings {
        let item = warning.item.map(|item| format!(" (item {item})")).unwrap_or_default();
        out.field("warning", Some(&format!("{:?}: {}{item}", warning.code, warning.detail)));
    }
    out.field("title", document.title.as_deref());
    out.field("link", document.link.as_ref());
    out.field("self", document.self_url.as_ref());
    out.field("hub", document.hub_url.as_ref());
    out.field("next", document.next_url.as_ref());
    out.field("previous archive", document.prev_archive_url.as_ref());
    out.field("language", document.language.as_deref());
    out.field("description", document.description.as_deref());
    out.field("image", document.image_url.as_ref());
    out.field("updated", document.updated_at);
    out.field("ttl", document.ttl_minutes);
    out.field("period", document.update_period_minutes);
    out.field(
        "skip hours",
        Some(&document.skip_hours).filter(|hours| !hours.is_empty()).map(|hours| format!("{hours:?}")),
    );
    out.field("skip days", Some(&document.skip_days).filter(|days| !days.is_empty()).map(|days| format!("{days:?}")));
    out.field("complete", document.complete.then_some("yes"));
    out.field("extras", document.extras.as_ref().map(|extras| format!("{extras:?}")));
    document.items.iter().for_each(|item| out.item(item));
    out.0
}

struct Shown(String);

impl Shown {
    fn field(&mut self, name: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            writeln!(self.0, "{name}: {value}").expect("a String takes all");
        }
    }

    fn item(&mut self, item: &FeedItem) {
        self.0.push_str("--- item\n");
        let permalink = item.guid_is_permalink.map(|is| if is { " (permalink)" } else { "" }).unwrap_or("");
        self.field("guid", item.guid.as_ref().map(|guid| format!("{guid}{permalink}")));
        let derived = if item.title_derived { " (derived)" } else { "" };
        self.field("title", item.title.as_ref().map(|title| format!("{title}{derived}")));
        let from = item.link_from.map_or("", |from| from.as_str());
        self.field("link", item.link.as_ref().map(|link| format!("{link} (from {from})")));
        let zone = item.date_zone.map_or("", |zone| zone.as_str());
        self.field("published", item.published_at.map(|at| format!("{at} ({zone})")));
        self.field("updated", item.updated_at.map(|at| format!("{at} ({zone})")));
        self.field("nickname", item.nickname.as_deref());
        self.field("authors", Some(item.authors.join(" | ")).filter(|authors| !authors.is_empty()));
        self.field("categories", Some(item.categories.join(" | ")).filter(|categories| !categories.is_empty()));
        self.field("description", item.description.as_ref().map(body));
        self.field("content", item.content.as_ref().map(body));
        for enclosure in &item.enclosures {
            let mime = enclosure.mime.as_deref().unwrap_or("?");
            let length = enclosure.length.map_or("?".to_owned(), |length| length.to_string());
            self.field("enclosure", Some(format!("{} {mime} {length}", enclosure.url)));
        }
        self.field("image", item.image_url.as_ref());
        self.field("comments", item.comments_url.as_ref());
        self.field("language", item.language.as_deref());
        self.field("extras", item.extras.as_ref().map(|extras| format!("{extras:?}")));
    }
}

fn body(content: &Content) -> String {
    let base = content.base.as_ref().map_or("none", Url::as_str);
    format!("{:?} at {base}: {:?}", content.kind, content.raw)
}
