//! What a [`SecretStore`] promises, and a store of sources that own secrets.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;

use headwater_domain::secret::{PrivateUrl, Sealed, SecretPlace, StoredSecret};
use headwater_domain::synthesis::source::{Source, SourceId, TenantId};
use headwater_ports::{SecretStore, Store};

/// Makes tests, or a list, of every promise of a `SecretStore`.
#[macro_export]
macro_rules! secret_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] secret_store: [
            a_secret_comes_back_as_it_was_saved,
            the_secrets_of_many_owners_come_back_together,
            a_later_secret_takes_the_place_and_ends_the_quarantine,
            a_secret_is_replaced_only_if_it_is_still_the_same,
            a_quarantined_secret_keeps_its_text,
            pages_show_every_secret_once_in_order,
            removing_takes_all_secrets_of_one_owner,
            a_removed_source_takes_its_secrets_along,
            secrets_of_tenants_never_meet,
        ] }
    };
}

pub async fn a_secret_comes_back_as_it_was_saved(store: Arc<dyn SecretStore>) {
    assert_eq!(store.secret(&place("s1", "url")).await.unwrap(), None);
    store.save_secrets(&[]).await.unwrap();
    store
        .save_secrets(&[(place("s1", "url"), sealed("k1", "a")), (place("s1", "Url"), sealed("k1", "b"))])
        .await
        .unwrap();
    assert_eq!(store.secret(&place("s1", "url")).await.unwrap(), Some(stored(place("s1", "url"), sealed("k1", "a"))));
    assert_eq!(store.secret(&place("s1", "other")).await.unwrap(), None);
}

pub async fn the_secrets_of_many_owners_come_back_together(store: Arc<dyn SecretStore>) {
    let all: Vec<_> = (0..700).map(|n| (place(&format!("s{n:03}"), "url"), sealed("k1", &n.to_string()))).collect();
    store.save_secrets(&all).await.unwrap();
    let owners: Vec<_> = (0..1400).step_by(2).map(|n| format!("s{n:03}")).collect();
    let found = store.secrets_of(&tenant(), &owners, "url").await.unwrap();
    assert_eq!(found.len(), 350);
    assert!(store.secrets_of(&tenant(), &owners, "headers").await.unwrap().is_empty());
    assert!(store.secrets_of(&tenant(), &[], "url").await.unwrap().is_empty());
}

pub async fn a_later_secret_takes_the_place_and_ends_the_quarantine(store: Arc<dyn SecretStore>) {
    store.save_secrets(&[(place("s1", "url"), sealed("k1", "a"))]).await.unwrap();
    assert!(store.quarantine_secret(&place("s1", "url"), "a").await.unwrap());
    store.save_secrets(&[(place("s1", "url"), sealed("k2", "b"))]).await.unwrap();
    assert_eq!(store.secret(&place("s1", "url")).await.unwrap(), Some(stored(place("s1", "url"), sealed("k2", "b"))));
}

pub async fn a_secret_is_replaced_only_if_it_is_still_the_same(store: Arc<dyn SecretStore>) {
    let url = place("s1", "url");
    assert!(!store.replace_secret(&url, "a", &sealed("k2", "b")).await.unwrap(), "nothing is made");
    store.save_secrets(&[(url.clone(), sealed("k1", "a"))]).await.unwrap();
    assert!(!store.replace_secret(&url, "other", &sealed("k2", "b")).await.unwrap());
    assert!(store.replace_secret(&url, "a", &sealed("k2", "b")).await.unwrap());
    assert_eq!(store.secret(&url).await.unwrap(), Some(stored(url, sealed("k2", "b"))));
}

pub async fn a_quarantined_secret_keeps_its_text(store: Arc<dyn SecretStore>) {
    let url = place("s1", "url");
    store.save_secrets(&[(url.clone(), sealed("k1", "a"))]).await.unwrap();
    assert!(!store.quarantine_secret(&url, "other").await.unwrap());
    assert!(store.quarantine_secret(&url, "a").await.unwrap());
    let found = store.secret(&url).await.unwrap().unwrap();
    assert_eq!((found.sealed, found.quarantined), (sealed("k1", "a"), true));
    assert!(store.replace_secret(&url, "a", &sealed("k2", "b")).await.unwrap());
    assert!(!store.secret(&url).await.unwrap().unwrap().quarantined, "its key came back");
}

pub async fn pages_show_every_secret_once_in_order(store: Arc<dyn SecretStore>) {
    let other = TenantId("Other".to_owned());
    let mut places: Vec<_> = (0..25).map(|n| place(&format!("s{n}"), "url")).collect();
    places.extend(["url", "headers"].map(|field| SecretPlace::new(&other, "s1", field)));
    let all: Vec<_> = places.iter().map(|place| (place.clone(), sealed("k1", "a"))).collect();
    store.save_secrets(&all).await.unwrap();

    let mut seen: Vec<SecretPlace> = Vec::new();
    loop {
        let page = store.page(seen.last(), 10).await.unwrap();
        assert!(page.len() <= 10);
        if page.is_empty() {
            break;
        }
        seen.extend(page.into_iter().map(|secret| secret.place));
    }
    places.sort();
    assert_eq!(seen, places);
}

pub async fn removing_takes_all_secrets_of_one_owner(store: Arc<dyn SecretStore>) {
    let all = [("s1", "url"), ("s1", "headers"), ("s2", "url")]
        .map(|(owner, field)| (place(owner, field), sealed("k1", "a")));
    store.save_secrets(&all).await.unwrap();
    assert_eq!(store.remove_secrets(&tenant(), "s1").await.unwrap(), 2);
    assert_eq!(store.remove_secrets(&tenant(), "s1").await.unwrap(), 0);
    assert!(store.secret(&place("s2", "url")).await.unwrap().is_some());
}

pub async fn a_removed_source_takes_its_secrets_along(store: Arc<dyn Store>) {
    let source = Source {
        id: SourceId("s1".to_owned()),
        url: PrivateUrl::new("https://a.example/".parse().unwrap()),
        url_redacted: false,
        title: None,
        preferred: false,
        feed: None,
    };
    store.add_sources(&tenant(), &[source]).await.unwrap();
    store
        .save_secrets(&[(place("s1", "url"), sealed("k1", "a")), (place("s2", "url"), sealed("k1", "b"))])
        .await
        .unwrap();
    assert!(store.remove_source(&tenant(), &SourceId("s1".to_owned())).await.unwrap());
    assert_eq!(store.secret(&place("s1", "url")).await.unwrap(), None);
    assert!(store.secret(&place("s2", "url")).await.unwrap().is_some());
}

pub async fn secrets_of_tenants_never_meet(store: Arc<dyn SecretStore>) {
    let other = TenantId("other".to_owned());
    let theirs = SecretPlace::new(&other, "s1", "url");
    store.save_secrets(&[(place("s1", "url"), sealed("k1", "a"))]).await.unwrap();
    assert_eq!(store.secret(&theirs).await.unwrap(), None);
    assert!(store.secrets_of(&other, &["s1".to_owned()], "url").await.unwrap().is_empty());
    assert!(!store.replace_secret(&theirs, "a", &sealed("k1", "b")).await.unwrap());
    assert!(!store.quarantine_secret(&theirs, "a").await.unwrap());
    assert_eq!(store.remove_secrets(&other, "s1").await.unwrap(), 0);
    store.save_secrets(&[(theirs.clone(), sealed("k1", "b"))]).await.unwrap();
    assert_eq!(store.secret(&place("s1", "url")).await.unwrap().unwrap().sealed, sealed("k1", "a"));
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn place(owner: &str, field: &str) -> SecretPlace {
    SecretPlace::new(&tenant(), owner, field)
}

fn sealed(key_id: &str, text: &str) -> Sealed {
    Sealed { key_id: key_id.to_owned(), text: text.to_owned() }
}

fn stored(place: SecretPlace, sealed: Sealed) -> StoredSecret {
    StoredSecret { place, sealed, quarantined: false }
}
