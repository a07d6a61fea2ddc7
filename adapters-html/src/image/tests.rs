//! Tests of the reading of images.

use super::*;
use crate::scan::{Scanner, Token};

fn read(tag: &str) -> Image {
    let Some(Token::Start(tag)) = Scanner::new(tag).next() else { panic!("no tag") };
    image(&tag.attributes, Some(&Url::parse("https://example.org/a/").unwrap()))
}

#[track_caller]
fn shows(tag: &str, expected: &str) {
    assert_eq!(read(tag), Image::Shown(Url::parse(expected).unwrap()), "of {tag}");
}

#[test]
fn finds_the_address_of_late_pictures() {
    shows("<img src=x.jpg>", "https://example.org/a/x.jpg");
    shows("<img src='data:image/gif;base64,R0l' data-src=x.jpg>", "https://example.org/a/x.jpg");
    shows("<img src=small.jpg data-original=/big.jpg>", "https://example.org/big.jpg");
    shows("<img srcset='a.jpg 1x, b.jpg 2x'>", "https://example.org/a/b.jpg");
    shows("<img data-srcset='a,b.jpg 300w, c,d.jpg 900w' src=/img/spacer.gif>", "https://example.org/a/c,d.jpg");
}

#[test]
fn knows_trackers() {
    for tag in [
        "<img src=x.gif width=1 height=1>",
        "<img src=x.gif height='1px'>",
        "<img src=x.gif style='width: 1px; height: 1px'>",
        "<img src=https://ad.doubleclick.net/x>",
        "<img src=https://feeds.example.com/~r/blog/~4/abc>",
        "<img src=https://pixel.wp.com/b.gif?x=1>",
    ] {
        assert_eq!(read(tag), Image::Tracker, "of {tag}");
    }
}

#[test]
fn shows_nothing_without_an_address() {
    for tag in ["<img>", "<img src=''>", "<img src='data:image/png;base64,AAAA'>", "<img src='javascript:x()'>"] {
        assert_eq!(read(tag), Image::Missing, "of {tag}");
    }
}

#[test]
fn reads_long_sets_in_one_pass() {
    let set = "a,".repeat(100_000);
    assert!(largest(&set).is_some());
}
