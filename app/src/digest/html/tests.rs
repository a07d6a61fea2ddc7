//! What `digest::html` is held to.

use base64::Engine as _;
use sha2::{Digest as _, Sha256};

use super::super::Format;
use super::super::tests::{digest, render};
use super::*;

#[test]
fn the_policy_names_the_style_by_its_hash() {
    let hash = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(STYLE));
    assert_eq!(STYLE_HASH, format!("sha256-{hash}"));
}

#[test]
fn the_page_needs_nothing_else() {
    let page = render(&digest(Vec::new()), Format::Html);
    for forbidden in ["<script", "<img", "<link", "<iframe", "@import", "url(", " style=", " onclick"] {
        assert!(!page.contains(forbidden), "{forbidden}:\n{page}");
    }
    assert!(page.contains("width=device-width") && page.contains("prefers-color-scheme:dark"));
}

#[test]
fn text_of_others_is_text() {
    assert_eq!(escape("<a href=\"x\">'&"), "&lt;a href=&quot;x&quot;&gt;&#39;&amp;");
    let odd = PrivateUrl::new("javascript:alert(1)".parse().unwrap());
    assert_eq!(link("x", &odd), "x");
    assert!(!is_language_tag("en\" onclick=\"x"));
    assert!(is_language_tag("zh-Hant-TW"));
}
