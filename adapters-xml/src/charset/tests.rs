//! What `charset` is held to.

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, KOI8_R, SHIFT_JIS, WINDOWS_1251};
use proptest::prelude::*;

use super::{Hints, decode};

const RUSSIAN: &str =
    "Вода поднялась за ночь на три дюйма, и к утру рейка стояла под водой. Никто не видел её так высоко.";
const CHINESE: &str = "一夜之间河水上涨了三寸，到了早晨，水位标尺已经淹没在水下。谁也没有见过它这么高。";
const TRADITIONAL: &str = "一夜之間河水上漲了三寸，到了早晨，水位標尺已經淹沒在水下。誰也沒有見過它這麼高。";
const JAPANESE: &str =
    "川は一晩で三寸も水かさを増し、朝には水位計が水の下に沈んでいた。こんなに高いのは誰も見たことがない。";
const KOREAN: &str =
    "강물이 하룻밤 사이에 세 치나 불어나 아침에는 수위표가 물속에 잠겼다. 아무도 이렇게 높은 것을 본 적이 없다.";

fn document(label: &str, words: &str) -> String {
    format!("<?xml version=\"1.0\" encoding=\"{label}\"?>\n<rss><channel><title>{words}</title></channel></rss>")
}

#[track_caller]
fn check(bytes: &[u8], content_type: Option<&str>, words: &str, encoding: &str, repaired: bool) {
    let decoded = decode(bytes, Hints { content_type, top_level_domain: None });
    assert!(decoded.text.contains(words), "{encoding}: {:?}", &decoded.text);
    assert_eq!((decoded.encoding.as_str(), decoded.repaired), (encoding, repaired), "{:?}", decoded.warnings);
    assert_eq!(decoded.warnings.is_empty(), !repaired, "{:?}", decoded.warnings);
}

fn encoded(encoding: &'static Encoding, text: &str) -> Vec<u8> {
    encoding.encode(text).0.into_owned()
}

fn wide(text: &str, unit: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

#[test]
fn a_declaration_that_is_true_is_followed() {
    for (encoding, label, words) in [
        (WINDOWS_1251, "windows-1251", RUSSIAN),
        (KOI8_R, "KOI8-R", RUSSIAN),
        (GBK, "gb2312", CHINESE),
        (GB18030, "gb18030", CHINESE),
        (BIG5, "Big5", TRADITIONAL),
        (SHIFT_JIS, "shift-jis", JAPANESE),
        (EUC_JP, "EUC-JP", JAPANESE),
        (EUC_KR, "ks_c_5601-1987", KOREAN),
        (ISO_2022_JP, "iso-2022-jp", JAPANESE),
    ] {
        let bytes = encoded(encoding, &document(label, words));
        check(&bytes, None, words, &encoding.name().to_ascii_lowercase(), false);
    }
}

#[test]
fn a_declaration_of_utf_8_that_lies_gives_way_to_what_the_bytes_are() {
    for (encoding, words) in [
        (WINDOWS_1251, RUSSIAN),
        (KOI8_R, RUSSIAN),
        (GBK, CHINESE),
        (BIG5, TRADITIONAL),
        (SHIFT_JIS, JAPANESE),
        (EUC_JP, JAPANESE),
        (EUC_KR, KOREAN),
        (encoding_rs::X_MAC_CYRILLIC, RUSSIAN),
    ] {
        let bytes = encoded(encoding, &document("utf-8", words));
        let decoded = decode(&bytes, Hints::default());
        assert!(decoded.text.contains(words), "{}: {}", encoding.name(), decoded.text);
        assert!(decoded.repaired);
    }
}

#[test]
fn strict_utf_8_wins_over_any_declaration() {
    for label in ["windows-1251", "iso-8859-1", "gbk", "shift_jis", "us-ascii"] {
        check(document(label, RUSSIAN).as_bytes(), None, RUSSIAN, "utf-8", true);
    }
}

#[test]
fn the_header_speaks_where_the_document_does_not() {
    let bytes = encoded(WINDOWS_1251, &format!("<rss><channel><title>{RUSSIAN}</title></channel></rss>"));
    check(&bytes, Some("text/xml; charset=\"Windows-1251\""), RUSSIAN, "windows-1251", false);
}

#[test]
fn a_latin_header_does_not_outrank_a_specific_declaration() {
    let bytes = encoded(GBK, &document("gbk", CHINESE));
    check(&bytes, Some("text/xml; charset=ISO-8859-1"), CHINESE, "gbk", false);
    check(document("utf-8", RUSSIAN).as_bytes(), Some("text/xml; charset=iso-8859-1"), RUSSIAN, "utf-8", false);
}

#[test]
fn latin_1_means_windows_1252() {
    check(b"<?xml version='1.0' encoding='iso-8859-1'?><rss>\x93wait\x94</rss>", None, "“wait”", "windows-1252", false);
}

#[test]
fn declarations_behind_blanks_are_found() {
    let bytes = encoded(WINDOWS_1251, &format!("\r\n  {}", document("windows-1251", RUSSIAN)));
    check(&bytes, None, RUSSIAN, "windows-1251", false);
}

#[test]
fn wide_encodings_are_known_by_their_mark_or_their_shape() {
    let text = document("utf-16", RUSSIAN);
    let marked = format!("\u{FEFF}{text}");
    check(&wide(&marked, u16::to_le_bytes), None, RUSSIAN, "utf-16le", false);
    check(&wide(&marked, u16::to_be_bytes), Some("text/xml; charset=utf-8"), RUSSIAN, "utf-16be", false);
    check(&wide(&text, u16::to_le_bytes), None, RUSSIAN, "utf-16le", false);
    check(&wide(&text, u16::to_be_bytes), None, RUSSIAN, "utf-16be", false);
    let text = document("utf-32", RUSSIAN);
    let le: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let be: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
    check(&le, None, RUSSIAN, "utf-32le", false);
    check(&[&[0, 0, 0xFE, 0xFF], be.as_slice()].concat(), None, RUSSIAN, "utf-32be", false);
}

#[test]
fn a_wide_declaration_on_narrow_bytes_is_no_reason_to_read_them_so() {
    check(document("utf-16", RUSSIAN).as_bytes(), None, RUSSIAN, "utf-8", true);
}

#[test]
fn marks_are_taken_off_however_many_there_are() {
    let text = document("utf-8", RUSSIAN);
    let decoded = decode(format!("\u{FEFF}\u{FEFF}{text}").as_bytes(), Hints::default()).text.into_owned();
    assert_eq!(decoded, text);
}

#[test]
fn korean_and_chinese_in_seven_bits() {
    let shifted: Vec<u8> = encoded(EUC_KR, "강물").iter().map(|byte| byte & 0x7F).collect();
    let korean =
        [b"\x1B$)C<?xml version='1.0' encoding='iso-2022-kr'?><rss>\x0E", shifted.as_slice(), b"\x0F</rss>"].concat();
    check(&korean, None, "<rss>강물</rss>", "iso-2022-kr", false);
    let shifted: Vec<u8> = encoded(GBK, "河水").iter().map(|byte| byte & 0x7F).collect();
    let chinese = [b"<?xml version='1.0' encoding='hz-gb-2312'?><rss>~{", shifted.as_slice(), b"~}~~</rss>"].concat();
    check(&chinese, None, "<rss>河水~</rss>", "hz-gb-2312", false);
}

#[test]
fn runs_in_another_encoding_are_read_in_their_own() {
    let words = format!("{RUSSIAN} caf");
    let bytes = [words.as_bytes(), b"\xE9 \x93wait\x94"].concat();
    let decoded = decode(&bytes, Hints::default());
    assert!(decoded.text.contains("café “wait”") && decoded.text.contains(RUSSIAN), "{}", decoded.text);
    assert_eq!(decoded.encoding, "utf-8");
    assert!(decoded.repaired);
}

proptest! {
    #[test]
    fn any_bytes_have_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..300), header in "(text/xml; ?charset=)?[a-z0-9-]{0,12}") {
        let decoded = decode(&bytes, Hints { content_type: Some(&header), top_level_domain: Some("jp") });
        prop_assert!(!decoded.encoding.is_empty());
    }

    #[test]
    fn utf_8_is_never_changed(text in "[^\u{FEFF}\0\u{1B}~][^\0\u{1B}~]{4,80}") {
        let decoded = decode(text.as_bytes(), Hints::default());
        prop_assert_eq!(decoded.text.as_ref(), text.as_str());
        prop_assert!(!decoded.repaired);
    }
}
