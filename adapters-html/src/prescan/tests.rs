//! Tests of the preparation of pages.

use super::*;

fn page(html: &str) -> Prescanned<'_> {
    prescan(html, &Url::parse("https://example.org/a/").unwrap())
}

#[track_caller]
fn check(html: &str, expected: &str) {
    assert_eq!(page(html).html, format!("<!DOCTYPE html>{expected}"), "of {html}");
}

#[test]
fn leaves_out_what_is_no_text() {
    check("<p>a<script>b</script><style>c</style><!-- d --><svg><text>e</text></svg>f", "<p>af</p>");
    check("<select><option>a</select><textarea>b</textarea>c", "c");
}

#[test]
fn keeps_what_tells_an_element_apart() {
    check("<div class='a b' onclick=x() id=c>d", "<div class=\"a b\" id=\"c\">d</div>");
    check("<p title='\"&amp;'>a", "<p title=\"&quot;&amp;\">a</p>");
}

#[test]
fn gives_late_pictures_their_address_once() {
    let picture = "<img src=\"https://example.org/a/p.jpg\">";
    check("<img data-src=p.jpg><noscript>Turn it on <img src=p.jpg></noscript>", picture);
    check("<div></div><noscript><img src=p.jpg></noscript>", &format!("<div></div>{picture}"));
}

#[test]
fn keeps_structured_data_aside() {
    let page = page("<base href=/x/><script type='application/ld+json; x'>{\"a\":1}</script><script>x</script>");
    assert_eq!(page.json_ld, ["{\"a\":1}"]);
    assert_eq!(page.base.as_str(), "https://example.org/x/");
}

#[test]
fn bounds_the_depth() {
    let page = page(&"<div>".repeat(5_000)).html;
    assert_eq!(page.matches("<div>").count(), 5_000);
    assert!(crate::tree::build(&page).is_ok());
}
