//! What `coding` is held to.

use headwater_ports::Headers;

use super::{Claim, Coding, is_text};

fn claim(values: &[&str]) -> Claim {
    let mut headers = Headers::default();
    values.iter().for_each(|value| headers.append("Content-Encoding", *value));
    Claim::of(&headers)
}

#[test]
fn claims_are_read_in_any_case_and_undone_last_first() {
    use Coding::{Brotli, Deflate, Gzip, Zstd};
    assert_eq!(claim(&[]), Claim::Known(vec![]));
    assert_eq!(claim(&["identity"]), Claim::Known(vec![]));
    assert_eq!(claim(&["X-GZIP"]), Claim::Known(vec![Gzip]));
    assert_eq!(claim(&["gzip, identity"]), Claim::Known(vec![Gzip]));
    assert_eq!(claim(&["br , GZip"]), Claim::Known(vec![Gzip, Brotli]));
    assert_eq!(claim(&["deflate", "zstd"]), Claim::Known(vec![Zstd, Deflate]));
    assert_eq!(claim(&["compress"]), Claim::Unknown("compress".to_owned()));
    assert!(matches!(claim(&["gzip, gzip, gzip, gzip"]), Claim::Unknown(_)));
}

#[test]
fn the_body_decides_against_its_label() {
    let gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03\x03\0\0\0\0\0\0\0\0\0";
    let text = b"<?xml version=\"1.0\"?><rss>";
    assert_eq!(claim(&[]).settle(gzip), Some(vec![Coding::Gzip]));
    assert_eq!(claim(&[]).settle(text), Some(vec![]));
    for label in ["gzip", "br", "zstd", "deflate", "utf-8", "compress"] {
        assert_eq!(claim(&[label]).settle(text), Some(vec![]), "{label}");
    }
    assert_eq!(claim(&["deflate"]).settle(gzip), Some(vec![Coding::Gzip]));
    assert_eq!(claim(&["zstd"]).settle(gzip), Some(vec![Coding::Gzip]));
    assert_eq!(claim(&["gzip"]).settle(b"\x28\xb5\x2f\xfd\0\0\0\0\0\0\0\0\0\0\0\0\0"), Some(vec![Coding::Zstd]));
    assert_eq!(claim(&["compress"]).settle(b"\x1f\x9d\x90\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"), None);
}

#[test]
fn text_is_told_from_bytes() {
    for text in [
        &b"busy\n"[..],
        "příliš".as_bytes(),
        b"\xef\xbb\xbf<rss/>",
        b"\xff\xfe<\0r\0",
        b"<?xml?>\xe9\xe8",
        b"{\"a\":1}",
    ] {
        assert!(is_text(text), "{text:?}");
    }
    for bytes in [&b"\x1f\x8b\x08"[..], b"a\0b", b"\xe9\xe8\xe7", b"\x89PNG\r\n\x1a\n"] {
        assert!(!is_text(bytes), "{bytes:?}");
    }
}
