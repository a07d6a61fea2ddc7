//! What `synthesis::select` is held to.

use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::article::LinkVia;
use headwater_domain::synthesis::history::Fate;
use headwater_ports::MockArticleStore;
use jiff::Timestamp;

use super::*;

fn candidate(name: &str) -> Candidate {
    let url = PrivateUrl::new(format!("https://a.example/{name}").parse().unwrap());
    Candidate {
        key: ArticleKey::of(&url),
        url,
        title: None,
        published_at: None,
        language: None,
        found_via: LinkVia::Feed,
        content: None,
        failures: 0,
    }
}

fn links(source: usize, names: &[&str]) -> Links {
    Links { source, candidates: names.iter().map(|name| candidate(name)).collect() }
}

/// A history in which these articles have these fates.
fn history(fates: &'static [(&'static str, Fate, u32)]) -> MockArticleStore {
    let mut store = MockArticleStore::new();
    store.expect_known().returning(move |_, keys| {
        let entry = |(name, fate, failures): &(&str, Fate, u32)| {
            let candidate = candidate(name);
            HistoryEntry {
                key: candidate.key,
                url: candidate.url.redacted(),
                title: None,
                source_url: "https://a.example/".to_owned(),
                fate: *fate,
                failures: *failures,
                seen_at: Timestamp::UNIX_EPOCH,
                fingerprint: None,
            }
        };
        Ok(fates.iter().map(entry).filter(|entry| keys.contains(&entry.key)).collect())
    });
    store
}

fn names(links: &Links) -> Vec<String> {
    links.candidates.iter().map(|candidate| candidate.url.expose().path().trim_start_matches('/').to_owned()).collect()
}

#[tokio::test]
async fn known_articles_do_not_use_up_the_share_of_a_source() {
    let store = history(&[("1", Fate::Kept, 0), ("2", Fate::Rejected, 0)]);
    let (mut selector, mut counts) = (Selector::default(), Counts::default());
    let tenant = TenantId::default();
    let wave = vec![links(0, &["1", "2", "3", "4", "5"])];
    let selected = selector.select(wave, 2, (&store, &tenant), &mut counts).await.unwrap();
    assert_eq!(names(&selected[0]), ["3", "4"]);
    assert_eq!(counts, Counts { links: 5, known: 2, deferred: 1, ..Counts::default() });
}

#[tokio::test]
async fn a_failed_article_is_tried_three_times() {
    let store = history(&[("1", Fate::Failed, 2), ("2", Fate::Failed, 3)]);
    let (mut selector, mut counts) = (Selector::default(), Counts::default());
    let tenant = TenantId::default();
    let selected = selector.select(vec![links(0, &["1", "2"])], 9, (&store, &tenant), &mut counts).await.unwrap();
    assert_eq!(names(&selected[0]), ["1"]);
    assert_eq!(selected[0].candidates[0].failures, 2);
}

#[tokio::test]
async fn what_an_earlier_source_gave_is_taken_once_and_both_are_named() {
    let store = history(&[]);
    let (mut selector, mut counts) = (Selector::default(), Counts::default());
    let tenant = TenantId::default();
    let wave = vec![links(0, &["1", "2"]), links(1, &["2", "3"])];
    selector.select(wave, 9, (&store, &tenant), &mut counts).await.unwrap();
    let selected = selector.select(vec![links(2, &["2", "4"])], 9, (&store, &tenant), &mut counts).await.unwrap();
    assert_eq!(names(&selected[0]), ["4"]);
    assert_eq!(selector.also_in(&candidate("2").key), [1, 2]);
    assert_eq!(counts, Counts { links: 6, repeated: 2, ..Counts::default() });
}

#[tokio::test]
async fn a_link_that_one_source_had_no_room_for_may_come_from_the_next() {
    let store = history(&[]);
    let (mut selector, mut counts) = (Selector::default(), Counts::default());
    let tenant = TenantId::default();
    let wave = vec![links(0, &["1", "2"]), links(1, &["2"])];
    let selected = selector.select(wave, 1, (&store, &tenant), &mut counts).await.unwrap();
    assert_eq!(names(&selected[1]), ["2"]);
}
