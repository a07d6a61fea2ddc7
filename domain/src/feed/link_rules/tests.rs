//! What `feed::link_rules` is held to.

use super::*;

fn url(text: &str) -> Url {
    text.parse().unwrap()
}

#[test]
fn the_form_of_a_site_has_the_fields_of_its_rule() {
    let request = build_rss_link_request(&LinkRules::default(), &url("https://www.audiences.me/")).unwrap();
    assert_eq!(request.url.as_str(), "https://www.audiences.me/getrss.php");
    assert_eq!(request.body, "exp=180&inclbookmarked=0&itemsmalldescr=1&search_mode=1&showrows=50&torrent_type=1");
    let other = build_rss_link_request(&LinkRules::default(), &url("https://tracker.example/")).unwrap();
    assert_eq!(other.body, "inclbookmarked=0&itemsmalldescr=1&search_mode=1&showrows=50");
}

#[test]
fn rules_of_a_file_are_added_or_replace() {
    let text = r#"{"my.example": {"path": "rss/make", "params": {"n": "10"}, "class": "feed"}}"#;
    let rules: LinkRules = serde_json::from_str(text).unwrap();
    assert_eq!(build_rss_link_request(&rules, &url("https://a.my.example/")).unwrap().url.path(), "/rss/make");
    assert_eq!(build_rss_link_request(&rules, &url("https://notmy.example/")).unwrap().url.path(), "/getrss.php");
    let away = r#"{"my.example": {"path": "https://evil.example/", "class": "feed"}}"#;
    let rules: LinkRules = serde_json::from_str(away).unwrap();
    assert_eq!(build_rss_link_request(&rules, &url("https://my.example/")), None);
}

#[track_caller]
fn check(html: &str, expected: Option<&str>) {
    let found = extract_rss_link(&LinkRules::default(), &url("https://t.example/getrss.php"), html);
    assert_eq!(found.map(|link| link.expose().to_string()).as_deref(), expected, "in {html}");
}

#[test]
fn the_last_link_with_a_secret_on_the_same_site_is_taken() {
    check(
        "<a class='x faqlink' href='torrentrss.php?rows=50&amp;linktype=dl'>one</a>\
         <A HREF=\"torrentrss.php?rows=50&amp;linktype=dl&amp;passkey=k1\" CLASS=faqlink>two</A>\
         <a href='https://evil.example/?passkey=k2' class='faqlink'>three</a><a class='faqlink' href='/help'>four</a>",
        Some("https://t.example/torrentrss.php?rows=50&linktype=dl&passkey=k1"),
    );
}

#[test]
fn without_a_secret_the_last_link_is_taken_and_without_a_link_none() {
    check("<a class=faqlink href=/one><a class=faqlink href=/two>", Some("https://t.example/two"));
    check("<a class=faqlink><a href='/x'><abbr class=faqlink href=/y><a class='faqlink' href='javascript:x'>", None);
    check("<a class='faqlink' href='/cut", Some("https://t.example/cut"));
    check("<", None);
}
