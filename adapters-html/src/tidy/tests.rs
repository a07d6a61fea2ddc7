//! Tests of the tidy writer.

use super::*;
use crate::scan::{Scanner, Token};

fn tidy(source: &str, max_depth: usize) -> String {
    let mut writer = TidyWriter::new(source.len(), max_depth);
    for token in Scanner::new(source) {
        match token {
            Token::Start(tag) => writer.start(tag.name, |_| {}),
            Token::End(name) => writer.end(&name),
            Token::Text(text) => writer.text(text),
            Token::Raw(text) => writer.plain(text),
        }
    }
    writer.finish()
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(tidy(source, 100), expected, "of {source:?}");
}

#[test]
fn supplies_end_tags() {
    check("<div><p>a<p>b<div>c", "<div><p>a</p><p>b</p><div>c</div></div>");
    check("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>", "<ul><li>a</li><li>b<ul><li>c</li></ul></li><li>d</li></ul>");
    check("<dl><dt>a<dd>b<dt>c</dl>", "<dl><dt>a</dt><dd>b</dd><dt>c</dt></dl>");
    check(
        "<table><tr><td>a<td>b<tr><th>c</table>",
        "<table><tbody><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></tbody></table>",
    );
    check("<td>a<tr>b", "ab");
    check("<h2>a<h3>b", "<h2>a</h2><h3>b</h3>");
    check("<a>b<a>c", "<a>b</a><a>c</a>");
}

#[test]
fn ignores_end_tags_that_close_nothing() {
    check("a</p></div>b", "ab");
    check("<b><div>x</b>y</div>z", "<b><div>xy</div>z</b>");
    check(
        "<div><table><tr><td>a</div>b</table></div>",
        "<div><table><tbody><tr><td>ab</td></tr></tbody></table></div>",
    );
    check("<ul></li><li>a</ul>", "<ul><li>a</li></ul>");
}

#[test]
fn ends_formatting_with_its_block() {
    check("<div><b><i>a</div>b", "<div><b><i>a</i></b></div>b");
    check("<p><b>a<p>b", "<p><b>a</b></p><p>b</p>");
}

#[test]
fn keeps_to_the_depth() {
    let source = format!("{}x", "<div>".repeat(50));
    let tidied = tidy(&source, 10);
    assert_eq!(tidied.matches("<div>").count(), 50);
    assert!(tidied.ends_with(&format!("x{}", "</div>".repeat(10))));
}

#[test]
fn escapes_what_would_be_markup() {
    check("1 < 2<xmp><b></xmp>", "1 &lt; 2<xmp>&lt;b&gt;</xmp>");
}
