//! What `inflate` is held to.

use std::convert::Infallible;
use std::io::Write;

use async_compression::tokio::bufread::BrotliEncoder;
use flate2::{Compression, write};
use proptest::prelude::*;
use tokio::io::AsyncReadExt;

use super::{Inflater, Stop};
use crate::coding::Coding;

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = write::GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zlib(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = write::ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn raw(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = write::DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    let mut coded = Vec::with_capacity(zstd_safe::compress_bound(bytes.len()));
    zstd_safe::compress(&mut coded, bytes, 3).unwrap();
    coded
}

fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut coded = Vec::new();
    let read = async { BrotliEncoder::new(bytes).read_to_end(&mut coded).await.unwrap() };
    tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(read);
    coded
}

/// The decoded bytes, and whether the input ended where it may.
fn inflate(codings: &[Coding], input: &[u8], chunk: usize) -> Result<(Vec<u8>, bool), Vec<u8>> {
    let mut inflater = Inflater::new(codings);
    let mut out = Vec::new();
    for chunk in input.chunks(chunk) {
        let pushed = inflater.push::<Infallible>(chunk, &mut |block| {
            out.extend_from_slice(block);
            Ok(())
        });
        if let Err(Stop::Broken) = pushed {
            return Err(out);
        }
    }
    Ok((out, inflater.is_complete()))
}

#[track_caller]
fn check(codings: &[Coding], input: &[u8], expected: &[u8]) {
    for chunk in [1, 2, 7, 64, 1 << 20] {
        let (out, complete) = inflate(codings, input, chunk).unwrap();
        assert_eq!((out.len(), complete), (expected.len(), true), "{codings:?} by {chunk}");
        assert!(out == expected, "{codings:?} by {chunk}");
    }
}

fn sample() -> Vec<u8> {
    (0..3_000_u32).flat_map(|n| format!("<item>{}</item>", n.wrapping_mul(2_654_435_761)).into_bytes()).collect()
}

#[test]
fn each_coding_decodes_whatever_the_chunks() {
    let text = sample();
    check(&[Coding::Gzip], &gzip(&text), &text);
    check(&[Coding::Deflate], &zlib(&text), &text);
    check(&[Coding::Deflate], &raw(&text), &text);
    check(&[Coding::Zstd], &zstd(&text), &text);
    check(&[Coding::Brotli], &brotli(&text), &text);
    check(&[Coding::Gzip], &gzip(b""), b"");
    check(&[Coding::Deflate], &raw(b""), b"");
}

#[test]
fn members_follow_each_other_and_junk_behind_them_is_ignored() {
    let text = sample();
    let twice = [text.clone(), text.clone()].concat();
    check(&[Coding::Gzip], &[gzip(&text), gzip(&text)].concat(), &twice);
    check(&[Coding::Zstd], &[zstd(&text), zstd(&text)].concat(), &twice);
    check(&[Coding::Gzip], &[gzip(&text), b"\0\0\0\0junk".to_vec()].concat(), &text);
    check(&[Coding::Deflate], &[zlib(&text), b"junk".to_vec()].concat(), &text);
}

#[test]
fn codings_stack() {
    let text = sample();
    check(&[Coding::Gzip, Coding::Gzip], &gzip(&gzip(&text)), &text);
    check(&[Coding::Zstd, Coding::Deflate, Coding::Gzip], &zstd(&zlib(&gzip(&text))), &text);
}

#[test]
fn a_short_stream_is_incomplete_and_a_wrong_one_broken() {
    let text = sample();
    for (coding, coded) in [(Coding::Gzip, gzip(&text)), (Coding::Deflate, zlib(&text)), (Coding::Zstd, zstd(&text))] {
        let (out, complete) = inflate(&[coding], &coded[..coded.len() / 2], 1000).unwrap();
        assert!(!complete && text.starts_with(&out), "{coding:?}");
        let mut damaged = coded;
        let middle = damaged.len() / 2;
        damaged[middle..middle + 40].fill(0xff);
        assert!(inflate(&[coding], &damaged, 1000).is_err(), "{coding:?}");
    }
    assert!(inflate(&[Coding::Gzip], b"no gzip at all", 100).is_err());
    assert!(inflate(&[Coding::Zstd], b"no zstd at all", 100).is_err());
}

#[test]
fn windows_larger_than_allowed_are_refused() {
    // A zstd frame that asks for a window of 16 MiB, then one of 8 MiB.
    assert!(inflate(&[Coding::Zstd], &[0x28, 0xb5, 0x2f, 0xfd, 0, 14 << 3, 1, 0, 0], 100).is_err());
    assert!(inflate(&[Coding::Zstd], &[0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3, 1, 0, 0], 100).is_ok());
    // Brotli's large-window extension, which no client announces.
    assert!(inflate(&[Coding::Brotli], &[0x11, 30, 0, 0, 0], 100).is_err());
}

proptest! {
    #[test]
    fn any_bytes_end_in_an_answer(bytes in proptest::collection::vec(any::<u8>(), 0..300), chunk in 1..64_usize) {
        for coding in [Coding::Gzip, Coding::Deflate, Coding::Brotli, Coding::Zstd] {
            let _ = inflate(&[coding], &bytes, chunk);
            let _ = inflate(&[coding, Coding::Gzip], &bytes, chunk);
        }
    }

    #[test]
    fn what_was_coded_comes_back(bytes in proptest::collection::vec(any::<u8>(), 0..5000), chunk in 1..5000_usize) {
        prop_assert_eq!(inflate(&[Coding::Gzip], &gzip(&bytes), chunk).unwrap(), (bytes.clone(), true));
        prop_assert_eq!(inflate(&[Coding::Deflate], &raw(&bytes), chunk).unwrap(), (bytes.clone(), true));
        prop_assert_eq!(inflate(&[Coding::Zstd], &zstd(&bytes), chunk).unwrap(), (bytes, true));
    }
}
