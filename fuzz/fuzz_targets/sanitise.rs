//! Whatever is sanitised holds nothing active, and sanitising it again changes nothing in that.
#![no_main]

use headwater_adapters_html::HtmlSanitiser;
use headwater_domain::feed::{Content, ContentKind};
use headwater_ports::Sanitiser;
use libfuzzer_sys::fuzz_target;
use url::Url;

fuzz_target!(|text: &str| {
    let base = Url::parse("https://example.org/notes/").ok();
    let plain = text.starts_with(' ');
    let kind = if plain { ContentKind::Text } else { ContentKind::Html };
    let clean = HtmlSanitiser::new().sanitise(&Content { raw: text.to_owned(), kind, base: base.clone() });
    // An element grows by its end tag and an absolute address, never by more than that.
    assert!(clean.len() <= 64 * (text.len() + 1), "{} bytes of {}", clean.len(), text.len());
    assert_harmless(&clean);
    let again =
        HtmlSanitiser::new().sanitise(&Content { raw: clean.clone(), kind: ContentKind::Html, base: base.clone() });
    assert_harmless(&again);
    HtmlSanitiser::new().markdown(&clean, base.as_ref());
});

/// Holds every tag to what may stand in one: text is escaped, so each `<` outside of a value begins one.
fn assert_harmless(html: &str) {
    let mut rest = html;
    while let Some((_, tag)) = rest.split_once('<') {
        let tag = tag.strip_prefix('/').unwrap_or(tag);
        let end = tag.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(tag.len());
        let name = tag[..end].to_ascii_lowercase();
        assert!(!name.is_empty(), "a stray sign: {html:?}");
        assert!(!ACTIVE.contains(&name.as_str()), "<{name}>: {html:?}");
        rest = &tag[end..];
        while let Some(attribute) = rest.strip_prefix(' ') {
            let (name, value) = attribute.split_once("=\"").expect("every attribute has a value");
            let (value, after) = value.split_once('"').expect("every value ends");
            assert!(!name.starts_with("on") && name != "style", "{name}: {html:?}");
            let address = matches!(name, "href" | "src" | "cite" | "poster");
            assert!(!address || SCHEMES.iter().any(|scheme| value.starts_with(scheme)), "{value}: {html:?}");
            rest = after;
        }
        rest = rest.strip_prefix('>').expect("every tag ends");
    }
}

const SCHEMES: [&str; 8] = ["http:", "https:", "mailto:", "tel:", "ftp:", "magnet:", "xmpp:", "irc:"];

const ACTIVE: [&str; 12] =
    ["script", "style", "iframe", "object", "embed", "form", "input", "base", "meta", "link", "svg", "math"];
