//! Tests of the last cleaning.

use super::*;

#[track_caller]
fn check(html: &str, expected: &str) {
    let document = crate::tree::build(&format!("<div id=root>{html}</div>")).expect("a small page");
    let selection = document.select_single("#root");
    let root = selection.nodes().first().expect("the root");
    polish(root, Some("The title"));
    assert_eq!(collapse_space(&root.text()), expected, "of {html}");
}

const A: &str = "<p>The committee kept the rate at four percent on Thursday, and will meet again in June. </p>";
const B: &str = "<p>Markets had expected as much, and prices hardly moved during the afternoon in London. </p>";

fn both() -> String {
    [A, B].map(|part| part.replace("<p>", "").replace(" </p>", "")).join(" ")
}

#[test]
fn removes_what_leads_away() {
    for part in [
        "<p><a href=x>Another story of the day that is not this one</a></p>",
        "<p>Related: <a href=x>Another story</a></p>",
        "<ul><li><a href=x>One</a><li><a href=y>Two</a></ul>",
        "<p>Subscribe to our newsletter for more.</p>",
        "<div>Advertisement</div>",
    ] {
        check(
            &format!("{A}{part}{B}{B}{B}"),
            &format!("{} {}", both(), [B, B].map(|part| part.replace("<p>", "").replace(" </p>", "")).join(" ")),
        );
    }
}

#[test]
fn keeps_a_page_that_is_a_list_of_links() {
    let html = "<p><a href=x>A first story of the day to read</a></p><p>A sentence.</p>".repeat(3);
    let document = crate::tree::build(&format!("<div id=root>{html}</div>")).expect("a small page");
    let selection = document.select_single("#root");
    let root = selection.nodes().first().expect("the root");
    remove_promotions(root);
    assert_eq!(root.text().matches("first story").count(), 3);
}

#[test]
fn trims_both_ends() {
    check(&format!("<h2>The title!</h2><p>By A B</p><p>2 May 2024</p>{A}{B}<h3>Related stories</h3>"), &both());
    check(&format!("{A}{B}<p>© 2024 A paper</p><p>Tags: a, b</p>"), &both());
}
