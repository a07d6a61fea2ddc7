//! What `sources` is held to.

use std::io::Write;
use std::path::PathBuf;

use headwater_domain::feed::outline::{Outline, OutlineFeed, OutlineProblem, OutlineReason};
use headwater_ports::MockOutlineFormat;

use super::*;

const NOW: &str = "2026-05-20T12:00:00Z";

fn file(name: &str, content: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join(name);
    std::fs::File::create(&path).unwrap().write_all(content).unwrap();
    (directory, path)
}

/// Stands in for the OPML reader.
fn outlines() -> MockOutlineFormat {
    let mut format = MockOutlineFormat::new();
    format.expect_read().returning(|bytes| match bytes.len() {
        0..20 => Err(headwater_ports::Error::new(ErrorKind::Malformed, "read OPML", "line 1, column 5: no end")),
        _ => Ok(Outline {
            feeds: vec![OutlineFeed {
                url: PrivateUrl::new("https://outline.example/".parse().unwrap()),
                title: None,
                site_url: None,
                path: Vec::new(),
            }],
            problems: vec![OutlineProblem { text: "A site".to_owned(), reason: OutlineReason::NoXmlUrl }],
            ..Outline::default()
        }),
    });
    format
}

fn list_error(content: &str) -> String {
    let (_directory, path) = file("sources.toml", content.as_bytes());
    list::read(&path, &outlines()).unwrap_err().0.replace(&path.display().to_string(), "FILE")
}

#[test]
fn a_list_holds_tables_or_urls() {
    let tables = "[[source]]\nurl = 'https://a.example/'\ntitle = 'A'\npreferred = true\n[[source]]\nurl = 'https://b.example/'\n";
    let (_directory, path) = file("sources.toml", tables.as_bytes());
    let expected = Written {
        url: "https://a.example/".to_owned(),
        title: Some("A".to_owned()),
        preferred: Some(true),
        problem: None,
    };
    assert_eq!(list::read(&path, &outlines()).unwrap(), [expected, Written::url("https://b.example/")]);
    let (_directory, path) =
        file("s.toml", "\u{FEFF}sources = ['https://a.example/', 'https://b.example/']".as_bytes());
    assert_eq!(
        list::read(&path, &outlines()).unwrap(),
        [Written::url("https://a.example/"), Written::url("https://b.example/")]
    );
}

#[test]
fn a_mistake_is_shown_with_its_line_and_column() {
    assert!(list_error("[[source]]\nurl = https://a.example/\n").starts_with("FILE:2:7: "));
    assert!(
        list_error("[[source]]\nurl = 'https://a.example/'\nprefered = true\n")
            .starts_with("FILE:3:1: unknown field `prefered`")
    );
    assert!(list_error("[[source]]\ntitle = 'A'\n").contains("missing field `url`"));
    assert!(list_error("x = 1").starts_with("FILE:1:1: unknown field `x`"));
}

#[test]
fn a_file_that_is_not_utf8_or_not_there_is_named() {
    let (_directory, path) = file("sources.toml", b"# caf\xe9\n");
    assert!(list::read(&path, &outlines()).unwrap_err().0.ends_with(":1:6: the file is not UTF-8"));
    let missing = list::read(&path.with_file_name("none.toml"), &outlines()).unwrap_err().0;
    assert!(missing.starts_with("could not read ") && missing.contains("none.toml"), "{missing}");
}

#[test]
fn opml_is_known_by_its_name_or_its_first_character() {
    for (name, content) in
        [("a.opml", "anything that is long enough"), ("a.txt", "\u{FEFF} <opml version='2.0'></opml>")]
    {
        let (_directory, path) = file(name, content.as_bytes());
        let list = list::read(&path, &outlines()).unwrap();
        assert_eq!((list.len(), &list[0]), (2, &Written::url("https://outline.example/")));
        assert!(list[1].problem.is_some());
    }
    let (_directory, path) = file("a.xml", b"<opml");
    assert!(list::read(&path, &outlines()).unwrap_err().0.ends_with("a.xml: line 1, column 5: no end"));
}

#[test]
fn topics_have_a_name_each_of_its_own() {
    let content = "[[topic]]\nname = 'Energy'\nterms = ['solar power', 'grid']\nexclude = ['oil']\nquota = 5\n[[topic]]\nname = 'Space'\n";
    let (_directory, path) = file("topics.toml", content.as_bytes());
    let topics = topics::read(&path).unwrap();
    assert_eq!(topics.len(), 2);
    assert_eq!((topics[0].quota, topics[0].terms.len(), topics[1].name.as_str()), (Some(5), 2, "Space"));
    let fails = |content: &str| topics::read(&file("topics.toml", content.as_bytes()).1).is_err();
    assert!(fails("[[topic]]\nname = 'A'\n[[topic]]\nname = ' A '\n"));
    assert!(fails("[[topic]]\nname = ' '\n"));
    assert!(fails("[[topic]]\nname = 'A'\nquota = -1\n"));
}

#[test]
fn what_is_no_url_is_reported_with_a_hint() {
    let unusable = |text: &str| match Written::url(text).wanted(NOW.parse().unwrap(), &BTreeSet::new()) {
        Wanted::Unusable { failure, .. } => failure,
        Wanted::Source(source) => panic!("{source:?}"),
    };
    assert_eq!(unusable("not a url").hint.as_deref(), Some("give an http or https URL, such as https://example.org"));
    assert_eq!(unusable("example.org/blog").hint.as_deref(), Some("did you mean https://example.org/blog?"));
    assert_eq!(unusable("ftp://a.example/").code, ErrorKind::InvalidUrl);
}

#[test]
fn a_password_in_a_url_without_a_scheme_is_not_shown() {
    for text in ["u:s3cret@host.example/feed", " u:s3cret@host.example", "//u:s3cret@host.example/", "u:s3cret@host"] {
        match Written::url(text).wanted(NOW.parse().unwrap(), &BTreeSet::new()) {
            Wanted::Unusable { text, failure } => {
                assert!(!format!("{text} {failure:?}").contains("s3cret"), "{text} {failure:?}");
            }
            Wanted::Source(source) => panic!("{source:?}"),
        }
    }
}

#[test]
fn a_source_keeps_what_was_written() {
    let written =
        Written { title: Some("A".to_owned()), preferred: Some(true), ..Written::url(" https://a.example/ ") };
    let Wanted::Source(source) = written.wanted(NOW.parse().unwrap(), &BTreeSet::new()) else { panic!("a URL") };
    assert_eq!(
        (source.url.redacted().as_str(), source.title.as_deref(), source.preferred),
        ("https://a.example/", Some("A"), true)
    );
}

#[test]
fn later_ids_sort_after_earlier_ones() {
    let earlier = new_id(NOW.parse().unwrap());
    assert!(earlier < new_id("2026-05-20T12:00:01Z".parse().unwrap()));
    assert_eq!(earlier.len(), 36);
}

#[test]
fn a_source_is_taken_once_and_stays_preferred() {
    let stored = match (Written { preferred: Some(true), ..Written::url("https://a.example/") })
        .wanted(NOW.parse().unwrap(), &BTreeSet::new())
    {
        Wanted::Source(source) => source,
        Wanted::Unusable { .. } => panic!("a URL"),
    };
    let urls = ["https://a.example/", "https://b.example/", "https://a.example"];
    let wanted =
        urls.map(|url| Written::url(url).wanted(NOW.parse().unwrap(), &preferred(std::slice::from_ref(&stored))));
    let preferred: Vec<bool> = distinct(wanted.to_vec()).iter().map(Wanted::is_preferred).collect();
    assert_eq!(preferred, [true, false]);
}
