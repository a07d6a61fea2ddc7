//! What `body` is held to.

use std::io::Write;

use bytes::Bytes;
use flate2::{Compression, write::GzEncoder};

use super::{Body, BodyError, Collected};
use crate::coding::{Claim, Coding};

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn collect(claim: Claim, cap: u64, wire: &[u8], chunk: usize) -> Result<Collected, BodyError> {
    let mut body = Body::new(claim, cap);
    for chunk in wire.chunks(chunk) {
        body.push(Bytes::copy_from_slice(chunk))?;
    }
    body.finish()
}

fn known(codings: &[Coding]) -> Claim {
    Claim::Known(codings.to_vec())
}

#[track_caller]
fn check(claim: &Claim, wire: &[u8], expected: &[u8], cut: bool) {
    for chunk in [1, 3, 100, 1 << 20] {
        let collected = collect(claim.clone(), 1 << 20, wire, chunk).unwrap();
        assert_eq!((collected.bytes.len(), collected.cut), (expected.len(), cut), "by {chunk}");
        assert!(collected.bytes == expected, "by {chunk}");
    }
}

fn feed() -> Vec<u8> {
    let items: String = (0..2000).map(|n| format!("<item><title>Number {n}</title></item>")).collect();
    format!("<?xml version=\"1.0\"?><rss><channel>{items}</channel></rss>").into_bytes()
}

#[test]
fn plain_and_coded_bodies_come_whole() {
    check(&known(&[]), &feed(), &feed(), false);
    check(&known(&[Coding::Gzip]), &gzip(&feed()), &feed(), false);
    check(&known(&[Coding::Gzip, Coding::Gzip]), &gzip(&gzip(&feed())), &feed(), false);
    check(&known(&[]), b"", b"", false);
    check(&known(&[Coding::Gzip]), b"", b"", false);
    check(&known(&[Coding::Gzip]), &gzip(b""), b"", false);
}

#[test]
fn lies_are_seen_through_in_both_directions() {
    for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
        check(&known(&[coding]), &feed(), &feed(), false);
        check(&known(&[coding]), b"busy\n", b"busy\n", false);
        check(&known(&[coding]), b"{}", b"{}", false);
        check(
            &known(&[coding]),
            b"{\"version\":\"https://jsonfeed.org/version/1.1\"}",
            b"{\"version\":\"https://jsonfeed.org/version/1.1\"}",
            false,
        );
    }
    check(&Claim::Unknown("utf-8".to_owned()), &feed(), &feed(), false);
    check(&known(&[]), &gzip(&feed()), &feed(), false);
    check(&known(&[Coding::Deflate]), &gzip(&feed()), &feed(), false);
}

#[test]
fn a_gzip_file_that_holds_no_text_stays_as_it_is() {
    let archive = gzip(&[b"name\0\0\0\0".as_slice(), &[7; 5000]].concat());
    check(&known(&[]), &archive, &archive, false);
    let odd = [b"\x1f\x8b\x08".as_slice(), &[0xff; 500]].concat();
    check(&known(&[]), &odd, &odd, false);
}

#[test]
fn bytes_in_no_known_coding_are_refused() {
    let noise: Vec<u8> = (0..500_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8 | 0x80).collect();
    for claim in [known(&[Coding::Gzip]), known(&[Coding::Zstd]), Claim::Unknown("compress".to_owned())] {
        for chunk in [1, 100, 1000] {
            assert!(matches!(collect(claim.clone(), 1 << 20, &noise, chunk), Err(BodyError::Coding(_))), "{claim:?}");
        }
    }
}

#[test]
fn a_stream_that_breaks_keeps_what_came() {
    let coded = gzip(&feed());
    for wire in [coded[..coded.len() / 2].to_vec(), [&coded[..coded.len() / 2], &[0xff; 400]].concat()] {
        let collected = collect(known(&[Coding::Gzip]), 1 << 20, &wire, 1000).unwrap();
        assert!(collected.cut && collected.bytes.len() > 1000 && feed().starts_with(&collected.bytes[..1000]));
    }
    let collected = collect(known(&[Coding::Gzip]), 1 << 20, &coded[..coded.len() - 3], 1000).unwrap();
    assert!(collected.cut && collected.bytes == feed());
}

#[test]
fn exactly_the_cap_passes_and_one_more_fails() {
    for (size, fits) in [(10_000, true), (10_001, false)] {
        let content = b"<a/> ".repeat(3000)[..size].to_vec();
        for (claim, wire) in
            [(known(&[]), content.clone()), (known(&[Coding::Gzip]), gzip(&content)), (known(&[]), gzip(&content))]
        {
            for chunk in [1, 999, 1 << 20] {
                let collected = collect(claim.clone(), 10_000, &wire, chunk);
                match fits {
                    true => assert_eq!(collected.unwrap().bytes, content),
                    false => assert_eq!(collected, Err(BodyError::TooLarge)),
                }
            }
        }
    }
}

#[test]
fn a_body_that_shrinks_well_is_decoded_twice_and_whole() {
    let content = b"<item/>".repeat(1 << 20);
    for chunk in [100, 4096, 1 << 20] {
        let collected = collect(known(&[Coding::Gzip]), 50 << 20, &gzip(&content), chunk).unwrap();
        assert!(!collected.cut && collected.bytes == content);
    }
    let coded = gzip(&content);
    let collected = collect(known(&[Coding::Gzip]), 50 << 20, &coded[..coded.len() - 10], 4096).unwrap();
    assert!(collected.cut && content.starts_with(&collected.bytes) && collected.bytes.len() > 6 << 20);
}

#[test]
fn a_wire_without_content_is_bounded_too() {
    let empty = gzip(b"");
    let mut body = Body::new(known(&[Coding::Gzip]), 1000);
    let result = (0..200_000).try_for_each(|_| body.push(Bytes::copy_from_slice(&empty)));
    assert_eq!(result, Err(BodyError::TooLarge));
}

#[test]
fn bytes_that_come_one_by_one_cost_no_more_than_bytes() {
    let mut body = Body::new(known(&[]), 1 << 20);
    for _ in 0..100_000 {
        body.push(Bytes::from_static(b"x")).unwrap();
    }
    assert!(body.wire.parts().count() < 10);
    assert_eq!(body.finish().unwrap().bytes.len(), 100_000);
}
