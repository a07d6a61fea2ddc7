//! Rotation from one key to the next: whole, resumable, and never at the cost of a secret.

use headwater_domain::secret::{Sealed, Secret};
use headwater_domain::synthesis::source::TenantId;
use headwater_tests::fakes::MemoryStore;

use super::*;
use crate::wiring;

#[tokio::test]
async fn every_secret_comes_under_the_active_key_and_the_old_one_has_none_left() {
    let store = MemoryStore::default();
    fill(&store, K1, 450).await;
    let ring = wiring::key_ring(&format!("{K2},{K1}")).unwrap();
    let rotation = rotate(&store, ring.as_ref()).await.unwrap();
    assert_eq!(rotation, Rotation { rotated: 450, current: 0, quarantined: Vec::new() });
    let standing = standing(&store).await.unwrap();
    assert_eq!(standing.secrets_by_key, BTreeMap::from([("k2".to_owned(), 450)]));

    let alone = wiring::key_ring(K2).unwrap();
    let secret = store.secret(&place(7)).await.unwrap().unwrap();
    assert_eq!(alone.open(&secret.place, &secret.sealed.text).unwrap().expose(), "secret 7");
    assert_eq!(rotate(&store, ring.as_ref()).await.unwrap().current, 450, "nothing is left to do");
}

#[tokio::test]
async fn what_no_key_opens_is_kept_marked_and_comes_back_with_its_key() {
    let store = MemoryStore::default();
    fill(&store, K1, 3).await;
    let before = store.secret(&place(1)).await.unwrap().unwrap();
    let without = rotate(&store, wiring::key_ring(K2).unwrap().as_ref()).await.unwrap();
    assert_eq!((without.rotated, without.quarantined.len()), (0, 3));
    let marked = store.secret(&place(1)).await.unwrap().unwrap();
    assert_eq!(marked, StoredSecret { quarantined: true, ..before });
    assert_eq!(standing(&store).await.unwrap().quarantined.len(), 3);

    let with = rotate(&store, wiring::key_ring(&format!("{K2},{K1}")).unwrap().as_ref()).await.unwrap();
    assert_eq!((with.rotated, with.quarantined.len()), (3, 0));
    assert!(standing(&store).await.unwrap().quarantined.is_empty());
}

#[tokio::test]
async fn values_of_before_the_vault_are_sealed() {
    let store = MemoryStore::default();
    let plain = Sealed { key_id: "plain".to_owned(), text: "a plain token".to_owned() };
    store.save_secrets(&[(place(1), plain)]).await.unwrap();
    let ring = wiring::key_ring(K1).unwrap();
    assert_eq!(rotate(&store, ring.as_ref()).await.unwrap().rotated, 1);
    let sealed = store.secret(&place(1)).await.unwrap().unwrap().sealed;
    assert!(sealed.text.starts_with("enc:v2:k1:"));
    assert_eq!(ring.open(&place(1), &sealed.text).unwrap().expose(), "a plain token");
}

#[tokio::test]
async fn without_a_key_nothing_is_touched() {
    let store = MemoryStore::default();
    fill(&store, K1, 3).await;
    let error = rotate(&store, wiring::key_ring("").unwrap().as_ref()).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidConfig);
    assert!(standing(&store).await.unwrap().quarantined.is_empty());
}

async fn fill(store: &MemoryStore, key: &str, count: usize) {
    let ring = wiring::key_ring(key).unwrap();
    let secrets: Vec<_> =
        (0..count).map(|n| (place(n), ring.seal(&place(n), &Secret::new(format!("secret {n}"))).unwrap())).collect();
    store.save_secrets(&secrets).await.unwrap();
}

fn place(number: usize) -> SecretPlace {
    SecretPlace::new(&TenantId::default(), &format!("s{number}"), "url")
}

const K1: &str = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const K2: &str = "k2:Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA";
