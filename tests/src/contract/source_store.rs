//! What a [`SourceStore`] promises.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::source::{FeedLocation, Source, SourceId, TenantId};
use headwater_ports::SourceStore;

/// Makes tests, or a list, of every promise of a `SourceStore`.
#[macro_export]
macro_rules! source_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] source_store: [
            a_source_comes_back_as_it_was_added,
            a_source_is_added_once,
            a_batch_that_names_a_source_twice_adds_it_once,
            preferred_sources_come_first_then_the_order_of_adding,
            adding_again_sets_preferred_and_keeps_the_rest,
            large_batches_keep_their_order,
            a_batch_that_cannot_be_added_whole_is_not_added_at_all,
            a_removed_source_is_gone,
            the_feed_location_is_compared_and_set,
            a_feed_location_without_a_date_can_be_replaced,
            of_many_setters_one_wins,
            tenants_never_meet,
            a_secret_is_not_kept,
            a_secret_given_anew_serves_its_run,
            a_url_without_secret_takes_the_place_of_a_redacted_one,
            a_feed_location_with_a_secret_is_not_kept,
            concurrent_adders_leave_each_source_once,
        ] }
    };
}

pub async fn a_source_comes_back_as_it_was_added(store: Arc<dyn SourceStore>) {
    let source = Source {
        title: Some("Zeitung für \"alle\" \u{1f4f0}".to_owned()),
        preferred: true,
        feed: Some(location("https://a.example/feed.xml", Some("2026-11-30T19:41:00.123456Z"))),
        ..source("s1", "https://a.example/?q=%20x&y=ü")
    };
    let added = store.add_sources(&tenant(), std::slice::from_ref(&source)).await.unwrap();
    assert_eq!(added, vec![source.clone()]);
    assert_eq!(store.sources(&tenant()).await.unwrap(), vec![source]);
}

pub async fn a_source_is_added_once(store: Arc<dyn SourceStore>) {
    let first = store.add_sources(&tenant(), &[source("s1", "https://a.example/")]).await.unwrap();
    let again = store.add_sources(&tenant(), &[source("s2", "https://a.example/")]).await.unwrap();
    assert_eq!(first, again);
    let same = store.add_sources(&tenant(), &[source("s3", "https://a.example:443/?utm_source=x#top")]).await.unwrap();
    assert_eq!(first, same, "the normal form decides");
    assert_eq!(ids(&store.sources(&tenant()).await.unwrap()), ["s1"]);
}

pub async fn a_batch_that_names_a_source_twice_adds_it_once(store: Arc<dyn SourceStore>) {
    let given =
        [source("s1", "https://a.example/"), source("s2", "https://b.example/"), source("s3", "https://a.example/")];
    assert_eq!(ids(&store.add_sources(&tenant(), &given).await.unwrap()), ["s1", "s2", "s1"]);
    assert_eq!(ids(&store.sources(&tenant()).await.unwrap()), ["s1", "s2"]);
}

pub async fn preferred_sources_come_first_then_the_order_of_adding(store: Arc<dyn SourceStore>) {
    let given =
        [source("z", "https://z.example/"), source("a", "https://a.example/"), liked("m", "https://m.example/")];
    store.add_sources(&tenant(), &given).await.unwrap();
    store.add_sources(&tenant(), &[source("b", "https://b.example/"), liked("c", "https://c.example/")]).await.unwrap();
    assert_eq!(ids(&store.sources(&tenant()).await.unwrap()), ["m", "c", "z", "a", "b"]);
}

pub async fn adding_again_sets_preferred_and_keeps_the_rest(store: Arc<dyn SourceStore>) {
    let feed = Some(location("https://a.example/feed.xml", Some("2026-01-01T00:00:00Z")));
    let known = Source { title: Some("Known".to_owned()), feed, ..liked("s1", "https://a.example/") };
    store.add_sources(&tenant(), std::slice::from_ref(&known)).await.unwrap();
    let given = Source { title: Some("Other".to_owned()), ..source("s2", "https://a.example/") };
    let stored = store.add_sources(&tenant(), &[given]).await.unwrap();
    assert_eq!(stored, vec![Source { preferred: false, ..known }]);

    store.add_sources(&tenant(), &[source("s3", "https://b.example/")]).await.unwrap();
    let titled = Source { title: Some("At last".to_owned()), ..source("s4", "https://b.example/") };
    let stored = store.add_sources(&tenant(), &[titled]).await.unwrap();
    assert_eq!(stored[0].title.as_deref(), Some("At last"), "a title fills a gap");
}

pub async fn large_batches_keep_their_order(store: Arc<dyn SourceStore>) {
    let given: Vec<_> = (0..601).map(|n| source(&format!("s{n}"), &format!("https://{n}.example/"))).collect();
    assert_eq!(store.add_sources(&tenant(), &given).await.unwrap(), given);
    assert_eq!(store.sources(&tenant()).await.unwrap(), given);
}

pub async fn a_batch_that_cannot_be_added_whole_is_not_added_at_all(store: Arc<dyn SourceStore>) {
    assert!(store.add_sources(&tenant(), &[]).await.unwrap().is_empty());
    let mut given: Vec<_> = (0..700).map(|n| source(&format!("s{n}"), &format!("https://{n}.example/"))).collect();
    given.push(source("s0", "https://same-id.example/"));
    store.add_sources(&tenant(), &given).await.unwrap_err();
    assert_eq!(store.sources(&tenant()).await.unwrap(), vec![], "an id that two sources claim fails the batch");
}

pub async fn a_removed_source_is_gone(store: Arc<dyn SourceStore>) {
    store.add_sources(&tenant(), &[source("s1", "https://a.example/")]).await.unwrap();
    assert!(store.remove_source(&tenant(), &id("s1")).await.unwrap());
    assert!(!store.remove_source(&tenant(), &id("s1")).await.unwrap());
    assert!(store.sources(&tenant()).await.unwrap().is_empty());
    assert_eq!(ids(&store.add_sources(&tenant(), &[source("s2", "https://a.example/")]).await.unwrap()), ["s2"]);
}

pub async fn the_feed_location_is_compared_and_set(store: Arc<dyn SourceStore>) {
    store.add_sources(&tenant(), &[source("s1", "https://a.example/")]).await.unwrap();
    let old = FeedLocation {
        rss_discovered_at: Some("2026-01-01T00:00:00.1234567Z".parse().expect("a time finer than stores keep")),
        ..location("https://a.example/old.xml", None)
    };
    let touched = location("https://a.example/old.xml", Some("2026-02-01T00:00:00Z"));
    let new = location("https://a.example/new.xml", Some("2026-02-01T00:00:00Z"));
    let (tenant, s1) = (tenant(), id("s1"));

    assert!(!store.update_source_rss(&tenant, &s1, Some(&old), Some(&new)).await.unwrap(), "nothing is there yet");
    assert!(store.update_source_rss(&tenant, &s1, None, Some(&old)).await.unwrap());
    assert!(!store.update_source_rss(&tenant, &s1, None, Some(&new)).await.unwrap(), "somebody was faster");
    assert!(store.update_source_rss(&tenant, &s1, Some(&old), Some(&touched)).await.unwrap());
    assert!(!store.update_source_rss(&tenant, &s1, Some(&old), None).await.unwrap(), "the time counts too");
    assert_eq!(store.sources(&tenant).await.unwrap()[0].feed.as_ref(), Some(&touched));
    assert!(store.update_source_rss(&tenant, &s1, Some(&touched), None).await.unwrap());
    assert_eq!(store.sources(&tenant).await.unwrap()[0].feed, None);
    assert!(!store.update_source_rss(&tenant, &id("gone"), None, Some(&new)).await.unwrap());
}

pub async fn a_feed_location_without_a_date_can_be_replaced(store: Arc<dyn SourceStore>) {
    let undated = location("https://a.example/feed.xml", None);
    let given = Source { feed: Some(undated.clone()), ..source("s1", "https://a.example/") };
    let added = store.add_sources(&tenant(), &[given]).await.unwrap();
    assert_eq!(added[0].feed.as_ref(), Some(&undated));
    let dated = location("https://a.example/feed.xml", Some("2026-02-01T00:00:00Z"));
    assert!(store.update_source_rss(&tenant(), &id("s1"), Some(&undated), Some(&dated)).await.unwrap());
}

pub async fn of_many_setters_one_wins(store: Arc<dyn SourceStore>) {
    store.add_sources(&tenant(), &[source("s1", "https://a.example/")]).await.unwrap();
    let setters: Vec<_> = (0..16)
        .map(|n| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let new = location(&format!("https://a.example/{n}.xml"), Some("2026-02-01T00:00:00Z"));
                store.update_source_rss(&tenant(), &id("s1"), None, Some(&new)).await.unwrap().then_some(new)
            })
        })
        .collect();
    let mut winners = Vec::new();
    for setter in setters {
        winners.extend(setter.await.unwrap());
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(store.sources(&tenant()).await.unwrap()[0].feed, winners.pop());
}

pub async fn tenants_never_meet(store: Arc<dyn SourceStore>) {
    let (ours, theirs) = (tenant(), TenantId("other".to_owned()));
    let feed = location("https://a.example/feed.xml", Some("2026-01-01T00:00:00Z"));
    store.add_sources(&ours, &[source("s1", "https://a.example/")]).await.unwrap();
    assert!(store.sources(&theirs).await.unwrap().is_empty());
    assert!(!store.remove_source(&theirs, &id("s1")).await.unwrap());
    assert!(!store.update_source_rss(&theirs, &id("s1"), None, Some(&feed)).await.unwrap());
    let added = store.add_sources(&theirs, &[liked("s1", "https://a.example/")]).await.unwrap();
    assert!(added[0].preferred, "the same id and URL, for another");
    assert!(store.update_source_rss(&theirs, &id("s1"), None, Some(&feed)).await.unwrap());
    assert_eq!(store.sources(&ours).await.unwrap(), vec![source("s1", "https://a.example/")]);
    assert!(store.remove_source(&theirs, &id("s1")).await.unwrap());
    assert_eq!(ids(&store.sources(&ours).await.unwrap()), ["s1"]);
}

pub async fn a_secret_is_not_kept(store: Arc<dyn SourceStore>) {
    let given = [source("s1", WITH_SECRET), source("s2", "https://reader:hunter2@b.example/feed")];
    let added = store.add_sources(&tenant(), &given).await.unwrap();
    assert_eq!(added, given, "with the secret, for this run");
    let stored = store.sources(&tenant()).await.unwrap();
    assert_eq!(ids(&stored), ["s1", "s2"]);
    for source in stored {
        assert!(source.url_redacted);
        assert!(!source.url.has_secret());
        assert!(!source.url.expose().as_str().contains("0123456789abcdef"), "{}", source.url.expose());
        assert!(!source.url.expose().as_str().contains("hunter2"), "{}", source.url.expose());
    }
}

pub async fn a_secret_given_anew_serves_its_run(store: Arc<dyn SourceStore>) {
    store.add_sources(&tenant(), &[source("s1", WITH_SECRET)]).await.unwrap();
    let renewed = WITH_SECRET.replace("0123", "fedc");
    let added = store.add_sources(&tenant(), &[source("s2", &renewed)]).await.unwrap();
    assert_eq!(added[0].id, id("s1"), "a new passkey is the same source");
    assert_eq!(added[0].url, url(&renewed));
    assert!(!added[0].url_redacted);
}

pub async fn a_url_without_secret_takes_the_place_of_a_redacted_one(store: Arc<dyn SourceStore>) {
    store.add_sources(&tenant(), &[source("s1", "https://reader:hunter2@b.example/feed")]).await.unwrap();
    store.add_sources(&tenant(), &[source("s2", "https://b.example/feed")]).await.unwrap();
    assert_eq!(store.sources(&tenant()).await.unwrap(), vec![source("s1", "https://b.example/feed")]);
}

pub async fn a_feed_location_with_a_secret_is_not_kept(store: Arc<dyn SourceStore>) {
    let secret = location(WITH_SECRET, Some("2026-01-01T00:00:00Z"));
    let given = Source { feed: Some(secret.clone()), ..source("s1", "https://a.example/") };
    assert_eq!(store.add_sources(&tenant(), &[given]).await.unwrap()[0].feed, None);
    assert!(store.update_source_rss(&tenant(), &id("s1"), None, Some(&secret)).await.unwrap());
    assert_eq!(store.sources(&tenant()).await.unwrap()[0].feed, None);
    assert!(store.update_source_rss(&tenant(), &id("s1"), Some(&secret), None).await.unwrap(), "counts as none");
}

pub async fn concurrent_adders_leave_each_source_once(store: Arc<dyn SourceStore>) {
    let adders: Vec<_> = (0..16)
        .map(|worker| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let given: Vec<_> =
                    (0..50).map(|n| source(&format!("w{worker}-{n}"), &format!("https://{n}.example/"))).collect();
                store.add_sources(&tenant(), &given).await.unwrap()
            })
        })
        .collect();
    let mut seen = Vec::new();
    for adder in adders {
        seen.push(ids(&adder.await.unwrap()));
    }
    assert!(seen.iter().all(|ids| *ids == seen[0]), "all agree on who is who");
    assert_eq!(store.sources(&tenant()).await.unwrap().len(), 50);
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn id(text: &str) -> SourceId {
    SourceId(text.to_owned())
}

fn ids(sources: &[Source]) -> Vec<String> {
    sources.iter().map(|source| source.id.0.clone()).collect()
}

fn url(text: &str) -> PrivateUrl {
    PrivateUrl::new(text.parse().expect("a URL of a check"))
}

fn source(id: &str, address: &str) -> Source {
    Source {
        id: SourceId(id.to_owned()),
        url: url(address),
        url_redacted: false,
        title: None,
        preferred: false,
        feed: None,
    }
}

fn liked(id: &str, address: &str) -> Source {
    Source { preferred: true, ..source(id, address) }
}

fn location(address: &str, discovered_at: Option<&str>) -> FeedLocation {
    let rss_discovered_at = discovered_at.map(|text| text.parse().expect("a time of a check"));
    FeedLocation { rss_url: url(address), rss_discovered_at }
}

const WITH_SECRET: &str = "https://tracker.example/rss?cat=1&passkey=0123456789abcdef0123456789abcdef";
