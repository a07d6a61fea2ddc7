//! Tests of the Markdown writer.

use super::*;

#[track_caller]
fn check(html: &str, expected: &str) {
    let base = Url::parse("https://example.org/a/").unwrap();
    assert_eq!(markdown(html, Some(&base)), expected, "of {html}");
}

#[test]
fn writes_common_structures() {
    check("<h2>A</h2><p>b <em>c</em> <a href=d>e</a></p>", "## A\n\nb *c* [e](https://example.org/a/d)");
    check("<p><a href='/b?c=1&amp;d=2'>e</a> &amp; f</p>", "[e](https://example.org/b?c=1&d=2) & f");
    check("<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>", "- a\n    - b\n- c");
    check("<pre><code class=language-rust>fn a() {}\n</code></pre>", "```rust\nfn a() {}\n```");
    check(
        "<table><tr><th>a</th><th>b</th></tr><tr><td>c|d</td><td>e</td></tr></table>",
        "| a | b |\n| - | - |\n| c\\|d | e |",
    );
}

#[test]
fn writes_nothing_for_nothing() {
    check("", "");
    check("<script>x</script>", "");
}

#[test]
fn survives_depth() {
    let markdown = markdown(&format!("{}deep", "<blockquote><ul><li>".repeat(1_000)), None);
    assert!(markdown.ends_with("deep"));
}
