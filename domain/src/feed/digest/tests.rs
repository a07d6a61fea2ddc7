//! What `feed::digest` is held to.

use proptest::prelude::*;
use url::Url;

use super::raw_digest;
use crate::feed::{Content, ContentKind, Enclosure, FeedItem};
use crate::secret::PrivateUrl;

fn url(text: &str) -> PrivateUrl {
    Url::parse(text).expect("a URL").into()
}

fn item(passkey: &str) -> FeedItem {
    let download = format!("https://t.example.org/dl?id=7&passkey={passkey}");
    FeedItem {
        title: Some("T".to_owned()),
        link: Some(url(&format!("https://t.example.org/details?id=7&passkey={passkey}"))),
        description: Some(Content { raw: format!("get it at {download}"), kind: ContentKind::Html, base: None }),
        enclosures: vec![Enclosure { url: url(&download), mime: None, length: Some(99) }],
        ..FeedItem::default()
    }
}

proptest! {
    #[test]
    fn rotation_of_a_secret_changes_nothing(one in "[a-f0-9]{32}", other in "[a-f0-9]{32}") {
        prop_assert_eq!(raw_digest(&item(&one)), raw_digest(&item(&other)));
    }

    #[test]
    fn another_title_changes_it(one in "[a-z]{1,8}", other in "[a-z]{1,8}") {
        let titled = |title: &str| FeedItem { title: Some(title.to_owned()), ..FeedItem::default() };
        prop_assert_eq!(raw_digest(&titled(&one)) == raw_digest(&titled(&other)), one == other);
    }
}

#[test]
fn neighbouring_fields_do_not_run_into_each_other() {
    let lists = |authors: &[&str], categories: &[&str]| FeedItem {
        authors: authors.iter().map(ToString::to_string).collect(),
        categories: categories.iter().map(ToString::to_string).collect(),
        ..FeedItem::default()
    };
    assert_ne!(raw_digest(&lists(&["a"], &[])), raw_digest(&lists(&[], &["a"])));
    assert_ne!(raw_digest(&lists(&["a", "b"], &[])), raw_digest(&lists(&["ab"], &[])));
}

#[test]
fn no_title_is_not_an_empty_one_and_a_derived_one_is_none() {
    let none = FeedItem::default();
    let empty = FeedItem { title: Some(String::new()), ..FeedItem::default() };
    let derived = FeedItem { title: Some("first words".to_owned()), title_derived: true, ..FeedItem::default() };
    assert_ne!(raw_digest(&none), raw_digest(&empty));
    assert_eq!(raw_digest(&none), raw_digest(&derived));
    assert_eq!(raw_digest(&none).len(), 64);
}
