//! What becomes of a passkey: it serves its run, leaves no trace without a key, and is sealed with one.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use headwater_adapters_sqlite::SqliteStore;
use headwater_adapters_vault::KeyRing;
use headwater_domain::secret::{Secret, SecretPlace};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{SecretStore, Vault};
use serde_json::Value;

use crate::kit::{Ended, Headwater, NOW, items, paths, rss, site};

#[test]
fn without_a_key_a_passkey_serves_its_run_and_leaves_no_trace() {
    let (headwater, site) = (Headwater::new(), site());
    site.set(FEED, rss(&items(&site, &[1, 2, 3])));
    assert_eq!(paths(&headwater.digest(&[&site.url(FEED)])), ["/1", "/2", "/3"]);
    assert_no_trace(&headwater.path(""));
    let again = headwater.run(&["--json"]);
    assert_eq!((again.status, code_of(&again.json())), (1, "auth".to_owned()), "{again:?}");
    assert!(again.out.contains("give the URL"), "{again:?}");
}

#[test]
fn with_a_key_a_passkey_comes_back_in_the_next_run() {
    let (headwater, site) = (Headwater::new(), site());
    let run = |keys: &str, arguments: &[&str]| {
        let mut command = headwater.command(NOW, arguments);
        Ended::of(command.arg("--json").env("HEADWATER__VAULT__KEYS", keys).output().unwrap())
    };
    site.set(FEED, rss(&items(&site, &[1, 2, 3])));
    assert_eq!(run(K1, &[&site.url(FEED)]).status, 0);
    assert_no_trace(&headwater.path(""));
    site.set(FEED, rss(&items(&site, &[4, 1, 2, 3])));
    assert_eq!(paths(&run(K1, &["--refresh"]).json()), ["/4"]);
    let wrong = run(K2, &[]);
    assert_eq!((wrong.status, code_of(&wrong.json())), (1, "credentials_unreadable".to_owned()), "{wrong:?}");
    let keyless = Ended::of(headwater.command(NOW, &["--json"]).output().unwrap());
    assert_eq!((keyless.status, &keyless.json()["error"]["code"]), (1, &Value::from("invalid_config")), "{keyless:?}");
    assert!(keyless.out.contains("HEADWATER__VAULT__KEYS") && keyless.out.contains("key generate"), "{keyless:?}");
    assert_no_trace(&headwater.path(""));
    let store = format!("sqlite:{}", headwater.path("store.db").display());
    let export = |keys: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
        command.args(["opml", "export", "--with-secrets", "--store", &store]).env("HEADWATER__VAULT__KEYS", keys);
        Ended::of(command.output().unwrap())
    };
    assert!(export(K1).out.contains(PASSKEY));
    let shut = export(K2);
    assert!(!shut.out.contains(PASSKEY) && shut.err.contains("no configured vault key opens it"), "{shut:?}");
    assert_eq!(export("").status, 1, "without any key it is said, and nothing written");
    site.set(FEED, rss(&items(&site, &[5, 4, 1, 2, 3])));
    assert_eq!(paths(&run(&format!("{K2},{K1}"), &["--refresh"]).json()), ["/5"], "the sealed text was kept");
}

#[test]
fn a_malformed_key_stops_the_start() {
    let headwater = Headwater::new();
    let mut command = headwater.command(NOW, &["https://example.org/", "--json"]);
    let ended = Ended::of(command.env("HEADWATER__VAULT__KEYS", "k1:QUVTLXNlY3JldA").output().unwrap());
    assert_eq!((ended.status, &ended.json()["error"]["code"]), (1, &Value::from("invalid_config")), "{ended:?}");
    assert!(!format!("{ended:?}").contains("QUVTLXNlY3JldA"), "{ended:?}");
}

#[tokio::test]
async fn a_rotation_that_is_killed_at_any_point_is_begun_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headwater.db");
    let store = SqliteStore::open(path.to_str().unwrap()).await.unwrap();
    a_killed_rotation_is_begun_again(&store, path.to_str().unwrap()).await;
}

#[cfg(feature = "postgres")]
#[tokio::test]
async fn a_rotation_in_a_database_that_is_killed_at_any_point_is_begun_again() {
    let server = headwater_tests::postgres::PostgresServer::start().await;
    let url = server.database().await;
    let store = headwater_adapters_postgres::PgStore::open(&url).await.unwrap();
    a_killed_rotation_is_begun_again(&store, &url).await;
    store.close().await;
}

async fn a_killed_rotation_is_begun_again(store: &dyn SecretStore, location: &str) {
    const SECRETS: usize = 1500;
    let old = KeyRing::parse(K1).expect("the key is well formed");
    let place = |n: usize| SecretPlace::new(&TenantId::default(), &format!("s{n}"), "url");
    let sealed = |n: usize| old.seal(&place(n), &Secret::new(format!("secret {n}"))).expect("any text can be sealed");
    let secrets: Vec<_> = (0..SECRETS).map(|n| (place(n), sealed(n))).collect();
    store.save_secrets(&secrets).await.expect("the store takes them");

    let both = KeyRing::parse(&format!("{K2},{K1}")).expect("the keys are well formed");
    for round in 0..20_u64 {
        let mut rotation = rotate(location).stdout(Stdio::null()).spawn().expect("the binary runs");
        tokio::time::sleep(Duration::from_millis(10 + round * 7)).await;
        rotation.kill().expect("a child can be killed");
        rotation.wait().expect("a killed child ends");
        let stored = store.page(None, usize::MAX).await.expect("the store is unharmed");
        assert_eq!(stored.len(), SECRETS);
        for secret in stored {
            both.open(&secret.place, &secret.sealed.text).expect("every secret opens at any time");
        }
    }
    let ended = Ended::of(rotate(location).output().expect("the binary runs"));
    assert_eq!((ended.status, ended.json()["quarantined"].as_array().map(Vec::len)), (0, Some(0)), "{ended:?}");
    let new = KeyRing::parse(K2).expect("the key is well formed");
    for n in 0..SECRETS {
        let secret = store.secret(&place(n)).await.expect("the store is unharmed").expect("no secret is lost");
        let plain = new.open(&place(n), &secret.sealed.text).expect("the new key opens all");
        assert_eq!(plain.expose(), &format!("secret {n}"));
    }
}

fn rotate(store: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.args(["key", "rotate", "--json", "--store", store]);
    command.env("HEADWATER__VAULT__KEYS", format!("{K2},{K1}")).stderr(Stdio::null());
    command
}

/// The code of the one source that failed.
fn code_of(digest: &Value) -> String {
    digest["sources"][0]["error"]["code"].as_str().unwrap_or_default().to_owned()
}

/// No file of the folder holds the passkey.
fn assert_no_trace(folder: &Path) {
    let mut read = 0;
    for entry in std::fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("its entries can be read").path();
        if path.is_dir() {
            assert_no_trace(&path);
            continue;
        }
        let bytes = std::fs::read(&path).expect("its files can be read");
        assert!(!bytes.windows(PASSKEY.len()).any(|window| window == PASSKEY.as_bytes()), "{}", path.display());
        read += 1;
    }
    assert!(read > 0, "the folder holds the store");
}

const PASSKEY: &str = "0123456789abcdef0123456789abcdef";
const FEED: &str = "/rss?passkey=0123456789abcdef0123456789abcdef";
const K1: &str = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const K2: &str = "k2:Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA";
