//! What `scan` is held to.

use super::{Caps, Flaw, Outline, Roots, Scan, scan};
use crate::error::Refused;

fn caps() -> Caps {
    Caps { depth: 4, attributes: 3, namespaces: 4, nodes: 20 }
}

#[track_caller]
fn sound(text: &str) -> Outline {
    match scan(text, &Caps::default(), Roots::Known, usize::MAX) {
        Ok(Scan::Sound(outline)) => outline,
        other => panic!("{text}: {other:?}"),
    }
}

#[track_caller]
fn check(text: &str, expected: Result<Scan, Refused>) {
    assert_eq!(scan(text, &caps(), Roots::Known, usize::MAX), expected, "{text}");
}

#[test]
fn the_root_is_found_between_prolog_and_epilog() {
    let text = "<?xml version=\"1.0\"?><!-- > --><rss a='>'><channel/></rss> <!-- end -->\n";
    let outline = sound(text);
    assert_eq!(&text[outline.root.clone()], "<rss a='>'><channel/></rss>");
    assert!(!outline.garbage_before && !outline.garbage_after && !outline.doctype);
}

#[test]
fn what_stands_around_the_root_is_noticed() {
    assert!(sound("warning <rss></rss>").garbage_before);
    assert!(sound("\n<?xml version='1.0'?><rss></rss>").garbage_before);
    assert!(sound("<rss></rss><br>").garbage_after);
    assert!(sound("<rss></rss>oops").garbage_after);
    assert!(!sound("<?xml-stylesheet href='a'?><rss></rss><?php ?>").garbage_before);
}

#[test]
fn items_behind_the_root_need_repair() {
    check("<rss><channel/></rss><item><title/></item>", Ok(Scan::Broken(Flaw::StrayMarkup)));
}

#[test]
fn a_doctype_passes_only_without_a_subset() {
    assert!(sound("<!DOCTYPE rss PUBLIC \"-//N//DTD RSS 0.91//EN\" \"http://e/rss-0.91.dtd\"><rss/>").doctype);
    check("<!DOCTYPE rss [<!ENTITY a \"b\">]><rss>&a;</rss>", Err(Refused::Dtd));
    check("<!doctype rss [ ]><rss/>", Err(Refused::Dtd));
    check("<!ENTITY a SYSTEM \"file:///etc/hosts\"><rss/>", Err(Refused::Dtd));
}

#[test]
fn the_text_of_a_declaration_is_harmless_where_it_is_text() {
    sound("<rss><!-- <!ENTITY a \"b\"> --><title><![CDATA[<!DOCTYPE a [<!ENTITY b 'c'>]>]]></title></rss>");
}

#[test]
fn each_cap_has_its_own_refusal() {
    check("<rss><a><b><c><d></d></c></b></a></rss>", Err(Refused::TooDeep(4)));
    check("<rss a='1' b='2' c='3' d='4'/>", Err(Refused::TooManyAttributes(3)));
    check(
        "<rss xmlns='a' xmlns:b='b'><a xmlns:c='c' xmlns:d='d' xmlns:e='e'/></rss>",
        Err(Refused::TooManyNamespaces(4)),
    );
    check(&format!("<rss>{}</rss>", "<a/>".repeat(30)), Err(Refused::TooManyNodes(20)));
}

#[test]
fn namespaces_go_out_of_scope() {
    sound(&format!("<rss>{}</rss>", "<a xmlns:x='x'><b xmlns:y='y'/></a>".repeat(2000)));
}

#[test]
fn what_does_not_end_needs_repair() {
    for text in ["<rss><channel>", "<rss><title>a</title", "<rss a='b>", "<rss><![CDATA[a</rss>", "<rss><!-- a </rss>"]
    {
        check(text, Ok(Scan::Broken(Flaw::EndsEarly)));
    }
    check("<rss><title>a < b</title></rss>", Ok(Scan::Broken(Flaw::StrayMarkup)));
    check("no markup", Ok(Scan::Broken(Flaw::NoRoot)));
    check("<opml/>", Ok(Scan::Broken(Flaw::StrangeRoot)));
}

#[test]
fn a_section_that_swallowed_items_needs_repair() {
    let text = "<rss><a><![CDATA[x</a></item><item><a><![CDATA[y]]></a></rss>";
    check(text, Ok(Scan::Broken(Flaw::StrayMarkup)));
    sound("<rss><a><![CDATA[write <![CDATA[ so]]></a></rss>");
}

#[test]
fn nothing_is_looked_at_from_the_first_item_on_that_is_over_the_limit() {
    let text = "<rss><channel><item><item/></item><media:item/><item/><item>< broken </item>";
    let Ok(Scan::Sound(outline)) = scan(text, &Caps::default(), Roots::Known, 2) else { panic!("it is sound so far") };
    assert!(outline.cut);
    assert_eq!(&text[outline.root], "<rss><channel><item><item/></item><media:item/><item/>");
    assert_eq!(scan(text, &Caps::default(), Roots::Known, 3), Ok(Scan::Broken(Flaw::StrayMarkup)));
}
