//! Whether a decompression bomb costs the client its content or only its wire.
//!
//! Alone in its binary, since it measures the memory of the whole process.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]

use std::fs;
use std::io::Write;

use flate2::write::GzEncoder;
use flate2::{Compress, Compression, FlushCompress};
use headwater_adapters_http::{HttpConfig, HyperFetcher};
use headwater_domain::ErrorKind;
use headwater_domain::net::Exemptions;
use headwater_ports::{FetchRequest, Fetcher};
use headwater_tests::server::{Reply, StandIn};

#[tokio::test]
async fn a_bomb_of_a_gibibyte_costs_less_than_16_mib() {
    let bombs = [
        ("gzip", gzip_bomb()),
        ("deflate", deflate_bomb()),
        ("br", brotli_bomb()),
        ("zstd", zstd_bomb()),
        ("gzip, gzip", gzip(&gzip_bomb())),
    ];
    let served = bombs.clone();
    let server = StandIn::start(move |request| {
        let number: Option<usize> = request.path()[1..].parse().ok();
        match number.map(|number| &served[number]) {
            Some((label, wire)) => Reply::ok(wire.clone()).header("Content-Encoding", label),
            None => Reply::ok("<rss/>"),
        }
    })
    .await;
    let mut exemptions = Exemptions::default();
    exemptions.add("127.0.0.1").unwrap();
    let fetcher = HyperFetcher::new(HttpConfig { exemptions, ..HttpConfig::default() }).unwrap();
    let get = |path: String| {
        let url: url::Url = format!("http://{}/{path}", server.address()).parse().unwrap();
        fetcher.fetch(FetchRequest::get(url.into()))
    };
    assert!(get("warm-up".to_owned()).await.outcome.is_ok());
    let before = memory("VmRSS:");
    for (number, (label, wire)) in bombs.iter().enumerate() {
        let error = get(number.to_string()).await.outcome.unwrap_err();
        assert_eq!(error.kind, ErrorKind::BodyTooLarge, "{label}: {error:?}");
        let cost = memory("VmHWM:") - before;
        assert!(cost < 16 * 1024, "{label} of {} bytes: {cost} KiB", wire.len());
    }
}

/// A line of the process's own status, in KiB.
fn memory(line: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let value = status.lines().find_map(|text| text.strip_prefix(line)).unwrap();
    value.trim().trim_end_matches(" kB").parse().unwrap()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// 1024 members of a mebibyte.
fn gzip_bomb() -> Vec<u8> {
    gzip(&vec![b' '; MIB]).repeat(1024)
}

/// 1024 blocks of a mebibyte that know nothing of each other, and the empty last one.
fn deflate_bomb() -> Vec<u8> {
    let mut block = Vec::with_capacity(MIB);
    Compress::new(Compression::default(), false)
        .compress_vec(&vec![b' '; MIB], &mut block, FlushCompress::Full)
        .unwrap();
    [block.repeat(1024), vec![3, 0]].concat()
}

/// A frame with a window of 8 MiB, of 8192 blocks that repeat a space 128 Ki times (RFC 8878).
fn zstd_bomb() -> Vec<u8> {
    let (repeats, kind) = (128 * 1024_u32, 1_u32);
    let block = |last: u32| [&(last | kind << 1 | repeats << 3).to_le_bytes()[..3], b" "].concat();
    [&[0x28, 0xb5, 0x2f, 0xfd, 0, 13 << 3][..], &block(0).repeat(8191), &block(1)].concat()
}

/// 64 blocks of 16 MiB, each a literal space and one copy of it over and over (RFC 7932).
fn brotli_bomb() -> Vec<u8> {
    let mut bits = Bits::default();
    // A window of 4 MiB, the one that servers use.
    bits.put(1, 1).put(5, 3);
    for _ in 0..64 {
        // Not the last block; its length less one in six nibbles; not uncompressed.
        bits.put(0, 1).put(2, 2).put((1 << 24) - 1, 24).put(0, 1);
        // One block type each, no direct distances, one literal context, one tree each.
        bits.put(0, 3).put(0, 6).put(0, 2).put(0, 2);
        // Codes of one symbol, which cost no bits: a space; one literal and the longest copy; the nearest distances.
        bits.put(1, 4).put(u64::from(b' '), 8).put(1, 4).put(399, 10).put(1, 4).put(16, 6);
        // The copy's length above 2118, and a distance of one.
        bits.put((1 << 24) - 1 - 2118, 24).put(0, 1);
    }
    bits.put(3, 2).bytes()
}

/// Bits in the order of the format: the lowest first.
#[derive(Default)]
struct Bits(Vec<bool>);

impl Bits {
    fn put(&mut self, value: u64, count: u32) -> &mut Self {
        self.0.extend((0..count).map(|bit| value >> bit & 1 == 1));
        self
    }

    fn bytes(&self) -> Vec<u8> {
        let byte = |eight: &[bool]| eight.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        self.0.chunks(8).map(byte).collect()
    }
}

const MIB: usize = 1024 * 1024;
