//! Tests of the rewriting of fragments.

use super::*;

#[track_caller]
fn check(html: &str, expected: &str) {
    let base = Url::parse("https://example.org/a/").unwrap();
    assert_eq!(rewrite(html, Some(&base)), expected, "of {html}");
}

#[test]
fn keeps_text_and_structure() {
    check("<p>a <b>b</b> &amp; c</p>", "<p>a <b>b</b> &amp; c</p>");
    check("<font color=red>a</font><custom-x>b</custom-x>", "ab");
    check("<xmp><b></xmp>", "<pre>&lt;b&gt;</pre>");
}

#[test]
fn drops_what_has_no_text_to_show() {
    check("a<svg><title>t</title><path/></svg>b<select><option>x</select>c<iframe src=x>y</iframe>d", "abcd");
    check("a<svg/>b", "ab");
    check("a<svg><title/></svg>b", "ab");
    check("a<svg><path><p>b</p>", "a<p>b</p>");
}

#[test]
fn makes_addresses_absolute() {
    check("<a href=b title=t onclick=x>c</a>", "<a href=\"https://example.org/a/b\" title=\"t\">c</a>");
    check("<a href='javascript:x'>c</a>", "<a>c</a>");
}

#[test]
fn shows_a_late_picture_once() {
    let expected = "<img src=\"https://example.org/a/p.jpg\">";
    check("<img data-src=p.jpg src='data:,x'><noscript><img src=p.jpg></noscript>", expected);
    check("<noscript><img src=p.jpg></noscript><img data-src=p.jpg>", expected);
    check("<img src=p.jpg><img src=p.jpg>", &expected.repeat(2));
}

#[test]
fn keeps_the_language_of_code() {
    check("<pre><code class='hljs lang-rust x'>a</code></pre>", "<pre><code class=\"language-rust\">a</code></pre>");
    check("<code class='hljs'>a</code>", "<code>a</code>");
}

#[test]
fn leaves_out_the_first_line_ends_of_pre() {
    check("<pre>\n\na\n</pre>", "<pre>a\n</pre>");
}
