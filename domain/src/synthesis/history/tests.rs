//! What `synthesis::history` is held to.

use super::*;

fn key(url: &str) -> String {
    ArticleKey::of(&PrivateUrl::new(url.parse().unwrap())).0
}

#[test]
fn the_key_is_the_normal_form_without_secrets() {
    assert_eq!(key("HTTPS://A.Example:443/x/?utm_source=rss&b=2#top"), key("https://a.example/x/?b=2"));
    let with = |passkey: &str| key(&format!("https://a.example/details?id=7&passkey={passkey}"));
    let rotated = with("fedcba9876543210fedcba9876543210");
    assert_eq!(with("0123456789abcdef0123456789abcdef"), rotated, "a new passkey is no new article");
    assert!(!rotated.contains("fedcba"), "{rotated}");
}

#[test]
fn a_number_under_a_masked_name_still_tells_articles_apart() {
    assert_ne!(key("https://a.example/article.php?pid=123"), key("https://a.example/article.php?pid=124"));
    assert_eq!(
        key("https://a.example/article.php?pid=123"),
        key("http://a.example/article.php?pid=123").replace("http:", "https:")
    );
}

#[test]
fn the_digest_never_changes() {
    // Stores hold it: another one would make every known article new.
    let digest = ArticleKey("abc".to_owned()).digest();
    assert_eq!(digest, 0xba78_16bf_8f01_cfea_4141_40de_5dae_2223_u128.to_be_bytes());
    assert_ne!(ArticleKey("abd".to_owned()).digest(), digest);
}

#[test]
fn a_failed_entry_gives_way_and_a_settled_one_stays() {
    let entry = |fate, failures| HistoryEntry {
        key: ArticleKey("k".to_owned()),
        url: "u".to_owned(),
        title: None,
        source_url: "s".to_owned(),
        fate,
        failures,
        seen_at: Timestamp::UNIX_EPOCH,
        fingerprint: None,
    };
    assert_eq!(entry(Fate::Failed, 2).then(entry(Fate::Failed, 1)).failures, 2);
    assert_eq!(entry(Fate::Failed, 1).then(entry(Fate::Kept, 0)).fate, Fate::Kept);
    assert_eq!(entry(Fate::Rejected, 0).then(entry(Fate::Kept, 0)).fate, Fate::Rejected);
    assert!(entry(Fate::Failed, MAX_FAILURES).is_settled());
    assert!(!entry(Fate::Failed, MAX_FAILURES - 1).is_settled());
}
