//! Tests of the `Link` header parser.

use super::*;

#[test]
fn reads_several_links_of_one_header() {
    let links =
        parse_link_header("</style.css>; rel=preload, </feed.atom>; rel=\"alternate\"; type=\"application/atom+xml\"");
    assert_eq!(links.len(), 2);
    assert_eq!(links[1].target, "/feed.atom");
    assert!(links[1].has_rel("alternate") && !links[1].has_rel("preload"));
    assert_eq!(links[1].parameter("type"), Some("application/atom+xml"));
}

#[test]
fn reads_quotes_commas_and_cases() {
    let links = parse_link_header("<a,b;c>; REL = \"Self  HUB\"; title=\"x, \\\"y\\\"; z\" ; flag,<d>;rel=next");
    assert_eq!(links[0].target, "a,b;c");
    assert!(links[0].has_rel("hub") && links[0].has_rel("self"));
    assert_eq!(links[0].title(), Some("x, \"y\"; z"));
    assert_eq!(links[0].parameter("flag"), Some(""));
    assert!(links[1].has_rel("next"));
}

#[test]
fn prefers_the_extended_title() {
    let links = parse_link_header("<a>; title=plain; title*=UTF-8'de'f%C3%BCr");
    assert_eq!(links[0].title(), Some("für"));
}

#[test]
fn leaves_out_what_it_cannot_read() {
    for value in ["", "nothing", "<open", "<a>;", "<a>; =x", "<a>; title*=x", "<a>; title=\"open"] {
        for link in parse_link_header(value) {
            assert_eq!(link.target, "a", "of {value}");
        }
    }
    assert_eq!(parse_link_header(&"<a>,".repeat(10_000)).len(), MAX_LINKS);
}
