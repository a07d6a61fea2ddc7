//! What becomes of a passkey between two runs, with the key, without one and with another.

use headwater_ports::SecretStore;
use headwater_tests::fakes::MemoryStore;

use super::*;
use crate::wiring;

#[tokio::test]
async fn with_a_key_a_passkey_comes_back_in_the_next_run() {
    let store = Arc::new(MemoryStore::default());
    let added = sources(&store, K1).add_sources(&tenant(), &[source(PASSKEY)]).await.unwrap();
    assert_eq!(added, [source(PASSKEY)]);
    assert_eq!(sources(&store, K1).sources(&tenant()).await.unwrap(), [source(PASSKEY)]);
    let sealed = store.secret(&SecretPlace::new(&tenant(), "s1", FIELD)).await.unwrap().unwrap().sealed.text;
    assert!(sealed.starts_with("enc:v2:k1:") && !sealed.contains("0123456789"), "{sealed}");
}

#[tokio::test]
async fn without_a_key_or_with_another_the_source_comes_back_redacted() {
    let store = Arc::new(MemoryStore::default());
    sources(&store, "").add_sources(&tenant(), &[source(PASSKEY)]).await.unwrap();
    assert!(store.page(None, 10).await.unwrap().is_empty(), "nothing is stored that is not sealed");
    sources(&store, K1).add_sources(&tenant(), &[source(PASSKEY)]).await.unwrap();
    for ring in ["", K2] {
        let found = sources(&store, ring).sources(&tenant()).await.unwrap();
        assert!(found[0].url_redacted && !found[0].url.expose().as_str().contains("0123456789"), "{ring}");
    }
    assert_eq!(sources(&store, K1).sources(&tenant()).await.unwrap(), [source(PASSKEY)], "the sealed text was kept");
}

#[tokio::test]
async fn a_new_passkey_replaces_the_old_one_and_the_same_is_not_written_again() {
    let store = Arc::new(MemoryStore::default());
    let sealed = async |address: &str| {
        sources(&store, K1).add_sources(&tenant(), &[source(address)]).await.unwrap();
        store.page(None, 10).await.unwrap()
    };
    let first = sealed(PASSKEY).await;
    assert_eq!(sealed(PASSKEY).await, first);
    let renewed = PASSKEY.replace("0123", "fedc");
    assert_ne!(sealed(&renewed).await, first);
    assert_eq!(sources(&store, K1).sources(&tenant()).await.unwrap(), [source(&renewed)]);
}

#[tokio::test]
async fn a_source_without_a_secret_leaves_none() {
    let store = Arc::new(MemoryStore::default());
    sources(&store, K1).add_sources(&tenant(), &[source("https://a.example/feed")]).await.unwrap();
    assert!(store.page(None, 10).await.unwrap().is_empty());
    assert_eq!(sources(&store, K1).sources(&tenant()).await.unwrap(), [source("https://a.example/feed")]);
}

fn sources(store: &Arc<MemoryStore>, ring: &str) -> SealedSources {
    SealedSources::new(Arc::clone(store) as _, wiring::key_ring(ring).unwrap())
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn source(address: &str) -> Source {
    Source {
        id: SourceId("s1".to_owned()),
        url: PrivateUrl::new(address.parse().unwrap()),
        url_redacted: false,
        title: None,
        preferred: false,
        feed: None,
    }
}

const PASSKEY: &str = "https://tracker.example/rss?passkey=0123456789abcdef0123456789abcdef";
const K1: &str = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const K2: &str = "k2:Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA";
