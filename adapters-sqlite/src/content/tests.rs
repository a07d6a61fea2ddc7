//! What pays is compressed, what lies is not believed.

use super::*;

fn noise(length: usize) -> Bytes {
    let mut state = 1_u64;
    let next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state.to_be_bytes()[0]
    };
    std::iter::repeat_with(next).take(length).collect()
}

async fn check(content: Bytes, coding: &str) {
    let packed = pack(content.clone()).await;
    assert_eq!((packed.coding, packed.size), (coding, content.len()));
    let size = i64::try_from(packed.size).unwrap();
    assert!(unpack(packed.bytes.to_vec(), coding.to_owned(), size).await == Some(content));
}

#[tokio::test]
async fn only_what_pays_is_compressed() {
    check(Bytes::new(), PLAIN).await;
    check(Bytes::from_static(b"short"), PLAIN).await;
    check(vec![b'a'; SMALL].into(), ZSTD).await;
    check(noise(SMALL), PLAIN).await;
    check(noise(LARGE), PLAIN).await;
    check("words and more words. ".repeat(100_000).into(), ZSTD).await;
    // The beginning decides for large ones.
    check([noise(SAMPLE).as_ref(), &[b'a'; 2 * LARGE]].concat().into(), PLAIN).await;
}

#[tokio::test]
async fn rows_that_lie_are_not_believed() {
    let packed = pack(vec![b'a'; 1000].into()).await;
    let unpack = async |coding: &str, size| unpack(packed.bytes.to_vec(), coding.to_owned(), size).await;
    assert!(unpack(ZSTD, 1000).await.is_some());
    for (coding, size) in [(ZSTD, 999), (ZSTD, 1001), (ZSTD, -1), (ZSTD, i64::MAX), (PLAIN, 1000), ("lzma", 1000)] {
        assert_eq!(unpack(coding, size).await, None, "{coding} {size}");
    }
}
