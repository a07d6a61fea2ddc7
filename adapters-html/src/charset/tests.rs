//! Tests of the decoding of pages.

use super::*;

#[track_caller]
fn check(bytes: &[u8], content_type: Option<&str>, expected: &str) {
    assert_eq!(decode(bytes, content_type), expected);
}

#[test]
fn believes_in_order() {
    check(b"\xEF\xBB\xBFa\xC3\xA9", Some("text/html; charset=windows-1252"), "aé");
    check(b"\xE9", Some("text/html; charset=\"ISO-8859-1\""), "é");
    check(b"<meta charset=windows-1251>\xCF", None, "<meta charset=windows-1251>П");
    check(
        b"<meta http-equiv=Content-Type content='text/html; charset=gb2312'>\xC4\xE3",
        None,
        "<meta http-equiv=Content-Type content='text/html; charset=gb2312'>你",
    );
    check(b"<?xml version='1.0' encoding='shift_jis'?>\x93\xFA", None, "<?xml version='1.0' encoding='shift_jis'?>日");
}

#[test]
fn sees_through_lies() {
    check("é".as_bytes(), Some("text/html; charset=iso-8859-1"), "é");
    check(b"<meta charset=utf-16>x", None, "<meta charset=utf-16>x");
    check(b"<meta charset=utf-8>caf\xE9 cr\xE8me", None, "<meta charset=utf-8>café crème");
}

#[test]
fn keeps_a_page_with_a_slip() {
    let text = "é".repeat(50);
    let bytes = [text.as_bytes(), b"\xFF"].concat();
    check(&bytes, Some("text/html; charset=utf-8"), &format!("{text}\u{FFFD}"));
}

#[test]
fn detects_what_nobody_declares() {
    let text = "Привет, мир. Это страница без объявленной кодировки.";
    let (bytes, ..) = encoding_rs::WINDOWS_1251.encode(text);
    check(&bytes, None, text);
    let wide: Vec<u8> = "<p>x".encode_utf16().flat_map(u16::to_le_bytes).collect();
    check(&wide, None, "<p>x");
}
