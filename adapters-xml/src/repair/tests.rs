//! What `repair` is held to.

use headwater_domain::feed::WarningCode as W;
use proptest::prelude::*;
use roxmltree::Document;

use super::{Repaired, find_root, repair};
use crate::error::Refused;
use crate::scan::Caps;

fn mend(text: &str) -> Result<Repaired, Refused> {
    let root = find_root(text)?.map_or(0, |root| root.at);
    repair(text, root, &Caps::default())
}

/// The mended text is well-formed, is what is expected, and names just these kinds of faults.
#[track_caller]
fn check(text: &str, expected: &str, codes: &[W]) {
    let repaired = mend(text).expect("repaired");
    Document::parse(&repaired.text).unwrap_or_else(|error| panic!("{}: {error}", repaired.text));
    assert_eq!(repaired.text, expected);
    let mut found: Vec<W> = repaired.warnings.iter().map(|warning| warning.code).collect();
    found.dedup();
    assert_eq!(found, codes, "{:?}", repaired.warnings);
}

#[test]
fn sound_text_stays_as_it_is() {
    let text =
        "<rss version=\"2.0\"><channel><title>A &amp; B &#233;</title><item><link>x</link></item></channel></rss>";
    check(text, text, &[]);
}

#[test]
fn ampersands_and_references() {
    check("<rss>A & B</rss>", "<rss>A &amp; B</rss>", &[W::BareAmpersand]);
    check("<rss>?a=1&b=2&copy=3</rss>", "<rss>?a=1&amp;b=2&amp;copy=3</rss>", &[W::BareAmpersand]);
    check("<rss>a&nbsp;b&eacute;</rss>", "<rss>a\u{A0}bé</rss>", &[W::HtmlEntity]);
    check("<rss>&notaname;</rss>", "<rss>&amp;notaname;</rss>", &[W::BadReference]);
    check("<rss>a&#0;&#x1F;&#xD800;&#99999999;b</rss>", "<rss>ab</rss>", &[W::BadReference]);
    check("<rss>&#X41;</rss>", "<rss>&#x41;</rss>", &[]);
}

#[test]
fn forbidden_characters() {
    check("<rss>a\u{1}b\u{FFFF}c<![CDATA[d\0e]]></rss>", "<rss>abc<![CDATA[de]]></rss>", &[W::ForbiddenCharacter]);
}

#[test]
fn attributes_of_every_kind() {
    check("<rss version=2.0 a></rss>", "<rss version=\"2.0\" a=\"a\"></rss>", &[W::BrokenMarkup]);
    check("<rss a=\"1\"b='2\"'></rss>", "<rss a=\"1\" b=\"2&quot;\"></rss>", &[]);
    check("<rss a='1' a='2'></rss>", "<rss a=\"1\"></rss>", &[W::BrokenMarkup]);
    check("<rss a='<&'></rss>", "<rss a=\"&lt;&amp;\"></rss>", &[W::BrokenMarkup, W::BareAmpersand]);
    check("<rss a=\"1><b>x</b></rss>", "<rss a=\"1\"><b>x</b></rss>", &[W::BrokenMarkup]);
}

#[test]
fn a_less_than_sign_that_begins_nothing_is_text() {
    check("<rss>1 < 2 <3</rss>", "<rss>1 &lt; 2 &lt;3</rss>", &[W::BrokenMarkup]);
}

#[test]
fn items_without_an_end() {
    check(
        "<rss><channel><item><title>a</title><item><title>b</title></item></channel></rss>",
        "<rss><channel><item><title>a</title></item><item><title>b</title></item></channel></rss>",
        &[W::UnbalancedTags],
    );
}

#[test]
fn fields_without_an_end_or_with_a_misspelt_one() {
    check(
        "<rss><item><title>a<link>b</link></item></rss>",
        "<rss><item><title>a</title><link>b</link></item></rss>",
        &[W::UnbalancedTags],
    );
    check("<rss><item><title>a</tilte></item></rss>", "<rss><item><title>a</title></item></rss>", &[W::UnbalancedTags]);
    check(
        "<rss><item><description>a <b>c<br></description><guid>g</guid></item></rss>",
        "<rss><item><description>a <b>c<br/></b></description><guid>g</guid></item></rss>",
        &[W::UnbalancedTags],
    );
}

#[test]
fn a_root_that_is_empty_or_missing() {
    check("<br /><item><title>a</title></item></rss>", "<br><item><title>a</title></item></br>", &[W::UnbalancedTags]);
    check(
        "<item><dc:x/></item><item><title>b</title></item>",
        "<rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\"><item><dc:x/></item><item><title>b</title></item></rss>",
        &[W::UnbalancedTags, W::UndeclaredPrefix],
    );
    assert!(mend("<item><title>a").expect("repaired").truncated);
}

#[test]
fn stray_end_tags_are_dropped() {
    check(
        "<rss><item></b><title>a</title></item></rss>",
        "<rss><item><title>a</title></item></rss>",
        &[W::UnbalancedTags],
    );
}

#[test]
fn the_unfinished_item_of_a_cut_document_is_dropped() {
    for end in ["<item><title>b", "<item><title>b</title><desc", "<item><description><![CDATA[<p>x", "<item a='"] {
        let repaired = mend(&format!("<rss><channel><item><title>a</title></item>{end}")).expect("repaired");
        assert!(repaired.truncated);
        assert_eq!(repaired.text, "<rss><channel><item><title>a</title></item></channel></rss>", "{end}");
    }
}

#[test]
fn text_around_the_document_is_dropped() {
    check("<br /><b>Warning</b>: x<br /><rss><item/></rss>", "<rss><item/></rss>", &[W::Garbage]);
    check("<rss><item/></rss><br><b>Warning</b>", "<rss><item/></rss>", &[W::Garbage]);
    check("<rss></rss><item>a</item>", "<rss><item>a</item></rss>", &[W::UnbalancedTags]);
}

#[test]
fn prefixes_that_were_never_declared() {
    check(
        "<rss><dc:creator>A</dc:creator><x:y/></rss>",
        "<rss xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:x=\"urn:undeclared:x\"><dc:creator>A</dc:creator><x:y/></rss>",
        &[W::UndeclaredPrefix],
    );
    check("<a:rss xmlns:a=\"u\"><a:b/></a:rss>", "<a:rss xmlns:a=\"u\"><a:b/></a:rss>", &[]);
}

#[test]
fn sections_closed_twice_or_never() {
    check(
        "<rss><item><description><![CDATA[a ]]> b ]]></description></item></rss>",
        "<rss><item><description><![CDATA[a ]]> b </description></item></rss>",
        &[W::BrokenCdata],
    );
    check(
        "<rss><item><title><![CDATA[a</title></item><item><title><![CDATA[b]]></title></item></rss>",
        "<rss><item><title><![CDATA[a]]></title></item><item><title><![CDATA[b]]></title></item></rss>",
        &[W::BrokenCdata],
    );
}

#[test]
fn declarations_of_entities_are_refused_wherever_they_stand() {
    for text in [
        "<!DOCTYPE rss [<!ENTITY a 'b'>]><rss>&</rss>",
        "<rss>&<!ENTITY a 'b'></rss>",
        "<rss>&<!DOCTYPE x [<!ENTITY a 'b'>]></rss>",
    ] {
        assert_eq!(mend(text).map(|repaired| repaired.text), Err(Refused::Dtd), "{text}");
    }
}

#[test]
fn markup_in_a_body_that_nests_too_deep_is_dropped_and_elsewhere_refused() {
    let deep = format!("<rss><item><description>{}x</description></item></rss>", "<b>".repeat(1000));
    assert!(Document::parse(&mend(&deep).expect("repaired").text).is_ok());
    assert_eq!(mend(&format!("<rss>&{}", "<a>".repeat(1000))).map(|r| r.text), Err(Refused::TooDeep(256)));
}

/// Pieces of which hostile documents are made.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<rss>",
        "</rss>",
        "<channel>",
        "</channel>",
        "<item>",
        "</item>",
        "<entry ",
        "<title>",
        "</title>",
        "<link/>",
        "<p>",
        "</p>",
        "<b ",
        "a=\"",
        "\"",
        "'",
        ">",
        "<",
        "/>",
        "&",
        "&amp;",
        "&nbsp;",
        "&#0;",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<?xml ",
        "?>",
        "<!DOCTYPE a>",
        "x:y",
        "xmlns:x='u'",
        "<dc:creator>",
        "é",
        "\u{1}",
        " ",
        "=",
        "text",
        "<a:b:c>",
        "<é>",
        "</",
        "xmlns=''",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_mended_is_well_formed(text in pieces()) {
        for text in [format!("<rss>{text}"), format!("{text}<item>")] {
            if let Ok(repaired) = mend(&text) {
                let tree = Document::parse(&repaired.text);
                prop_assert!(tree.is_ok() || repaired.text.is_empty(), "{text}\n{}\n{tree:?}", repaired.text);
            }
        }
    }
}

#[test]
fn what_is_dropped_makes_no_end_of_a_section() {
    check("<rss><![CDATA[a]]\u{1}>b]]></rss>", "<rss><![CDATA[a]]]]><![CDATA[>b]]></rss>", &[W::ForbiddenCharacter]);
    check("<rss>a]\u{1}]>b</rss>", "<rss>a]]&gt;b</rss>", &[W::ForbiddenCharacter]);
    check("<rss>a]]&#0;>b</rss>", "<rss>a]]&gt;b</rss>", &[W::BadReference]);
    check("<rss>a]]<!-- -- -->>b</rss>", "<rss>a]]&gt;b</rss>", &[]);
    check("<rss>a]]]]>>b</rss>", "<rss>a]]&gt;b</rss>", &[W::BrokenCdata]);
}
