//! Tests of the removal of what is not the article.

use super::*;

#[track_caller]
fn keeps(html: &str, expected: &str) {
    let document = crate::tree::build(html).expect("a small page");
    remove(&document, Strictness::Full);
    let text = headwater_domain::text::collapse_space(&document.body().expect("a body").text());
    assert_eq!(text, expected, "of {html}");
}

const TEXT: &str = "<p>The committee kept the rate at four percent on Thursday, and will meet again in June.</p>";
const PLAIN: &str = "The committee kept the rate at four percent on Thursday, and will meet again in June.";

#[test]
fn removes_dialogs_however_long() {
    let dialog = "<div id=cookie-consent class=gdpr><p>We store and access information on your device.</p></div>";
    keeps(&format!("{}{TEXT}", dialog.repeat(20)), PLAIN);
}

#[test]
fn removes_what_stands_around() {
    for part in [
        "<nav><ul><li>Home</ul></nav>",
        "<div class=share-buttons>Share</div>",
        "<div class='relatedPosts'><p>Another story</p></div>",
        "<section id=comments><p>First!</p></section>",
        "<footer><p>About us</p></footer>",
        "<div style='display: none'>x</div>",
        "<div class=post-meta>by A</div>",
    ] {
        keeps(&format!("{TEXT}{part}"), PLAIN);
    }
}

#[test]
fn keeps_what_only_sounds_like_it() {
    keeps(&format!("<body class=has-sidebar>{TEXT}"), PLAIN);
    keeps(&format!("<div class=sidebar-left-layout>{TEXT}</div>"), PLAIN);
    keeps(&format!("<div class=modal><main>{TEXT}</main></div>"), PLAIN);
}
