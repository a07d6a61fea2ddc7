//! What a [`FeedStore`] promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::synthesis::source::TenantId;
use headwater_ports::FeedStore;

/// Makes tests, or a list, of every promise of a `FeedStore`.
#[macro_export]
macro_rules! feed_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] feed_store: [
            memory_comes_back_as_it_was_saved,
            the_last_memory_stands,
            many_memories_are_saved_and_found_at_once,
            memories_of_tenants_never_meet,
            concurrent_savers_leave_one_whole_memory,
        ] }
    };
}

pub async fn memory_comes_back_as_it_was_saved(store: Arc<dyn FeedStore>) {
    assert_eq!(store.feed_memory(&tenant(), FEED).await.unwrap(), None);
    let memory = "{\"etag\":\"\\\"ä\\\"\",\"seen\":[\"1\u{1f4f0}\"]}";
    store.save_feed_memory(&tenant(), FEED, memory).await.unwrap();
    assert_eq!(store.feed_memory(&tenant(), FEED).await.unwrap().as_deref(), Some(memory));
    assert_eq!(store.feed_memory(&tenant(), "https://a.example/Feed.xml").await.unwrap(), None, "letter case counts");
}

pub async fn the_last_memory_stands(store: Arc<dyn FeedStore>) {
    let large = "x".repeat(2_000_000);
    store.save_feed_memory(&tenant(), FEED, &large).await.unwrap();
    assert_eq!(store.feed_memory(&tenant(), FEED).await.unwrap(), Some(large));
    store.save_feed_memory(&tenant(), FEED, "{}").await.unwrap();
    assert_eq!(store.feed_memory(&tenant(), FEED).await.unwrap().as_deref(), Some("{}"));
}

pub async fn many_memories_are_saved_and_found_at_once(store: Arc<dyn FeedStore>) {
    let feed = |number: usize| format!("https://{number}.example/feed");
    let mut memories: Vec<_> = (0..1200).map(|number| (feed(number), format!("memory {number}"))).collect();
    memories.push((feed(7), "the later one".to_owned()));
    store.save_feed_memories(&tenant(), &memories).await.unwrap();
    store.save_feed_memories(&tenant(), &[]).await.unwrap();
    let asked: Vec<_> = (0..1200).chain([7, 5000]).map(feed).collect();
    let mut found = store.feed_memories(&tenant(), &asked).await.unwrap();
    found.sort();
    assert_eq!(found.len(), 1200, "each once, and the unknown one is left out");
    assert!(found.contains(&(feed(7), "the later one".to_owned())));
    assert!(found.contains(&(feed(1199), "memory 1199".to_owned())));
    assert!(store.feed_memories(&TenantId("other".to_owned()), &asked).await.unwrap().is_empty());
}

pub async fn memories_of_tenants_never_meet(store: Arc<dyn FeedStore>) {
    let other = TenantId("other".to_owned());
    store.save_feed_memory(&tenant(), FEED, "ours").await.unwrap();
    assert_eq!(store.feed_memory(&other, FEED).await.unwrap(), None);
    store.save_feed_memory(&other, FEED, "theirs").await.unwrap();
    assert_eq!(store.feed_memory(&tenant(), FEED).await.unwrap().as_deref(), Some("ours"));
}

pub async fn concurrent_savers_leave_one_whole_memory(store: Arc<dyn FeedStore>) {
    let savers: Vec<_> = (0..16_u32)
        .map(|n| {
            let store = Arc::clone(&store);
            let memory = n.to_string().repeat(5000);
            tokio::spawn(async move { store.save_feed_memory(&tenant(), FEED, &memory).await.map(|()| memory) })
        })
        .collect();
    let mut saved = Vec::new();
    for saver in savers {
        saved.push(saver.await.unwrap().unwrap());
    }
    let memory = store.feed_memory(&tenant(), FEED).await.unwrap().unwrap();
    assert!(saved.contains(&memory));
}

fn tenant() -> TenantId {
    TenantId::default()
}

const FEED: &str = "https://a.example/feed.xml";
