//! What `media_type` is held to.

use super::*;

#[track_caller]
fn check(content_type: &str, essence: &str, charset: Option<&str>) {
    assert_eq!(essence_of(content_type), essence, "{content_type:?}");
    assert_eq!(charset_of(content_type), charset, "{content_type:?}");
}

#[test]
fn a_media_type_and_its_charset_are_told_apart() {
    check("text/html", "text/html", None);
    check(" Text/HTML ;charset=UTF-8", "text/html", Some("UTF-8"));
    check("text/xml; CharSet = \"Windows-1251\"; q=1", "text/xml", Some("Windows-1251"));
    check("text/xml; charset='shift jis'", "text/xml", Some("shift jis"));
    check("", "", None);
}

#[test]
fn what_servers_forget_is_not_missed() {
    check("text/html charset=gbk", "text/html charset=gbk", Some("gbk"));
    check("text/html; charset=\"gbk", "text/html", Some("gbk"));
    check("text/html; charset=gbk, text/html", "text/html", Some("gbk"));
    check("charset=gbk", "charset=gbk", Some("gbk"));
}

#[test]
fn a_charset_without_a_label_is_passed_over() {
    check("text/html; charset=", "text/html", None);
    check("text/html; charset; charset=gbk", "text/html", Some("gbk"));
    check("text/html; charset=\"\"; charset=gbk", "text/html", Some("gbk"));
    check("é; charset", "é", None);
}
