//! Whether the binary keeps the documents of its store in step with a wiki: new, changed, gone, and not too many at once.

use std::path::Path;
use std::process::{Command, Stdio};

use headwater_adapters_sqlite::SqliteStore;
use headwater_domain::sync::{DataSourceId, DocumentKey};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::KnowledgeBase;
use headwater_tests::stand_in::yuque::{World, YuqueStandIn};
use serde_json::{Value, json};

use crate::kit::{Ended, Headwater};

/// A wiki, and a binary that is told of it by a file.
struct Wiki {
    headwater: Headwater,
    stand_in: YuqueStandIn,
    store: String,
}

impl Wiki {
    async fn new(documents: u64) -> Self {
        let headwater = Headwater::new();
        let store = headwater.path("headwater.db").to_str().expect("the path is UTF-8").to_owned();
        let stand_in = YuqueStandIn::start(World::with_docs(documents)).await;
        let wiki = Self { headwater, stand_in, store };
        wiki.say("tok-ok");
        wiki
    }

    fn say(&self, token: &str) {
        let config = json!({
            "type": "yuque", "credentials": { "api_token": token }, "resource_ids": ["2001"],
            "settings": { "base_url": self.stand_in.base_url() },
        });
        self.headwater.write("wiki.json", config.to_string());
    }

    async fn sync(&self, arguments: &[&str]) -> Ended {
        let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
        command
            .args(["datasource", "sync", "--name", "wiki", "--json", "--allow", "127.0.0.1", "--config"])
            .arg(self.headwater.path("wiki.json"))
            .args(["--store", &self.store])
            .args(arguments)
            .env_clear()
            .env("HOME", self.headwater.path(""))
            .stdin(Stdio::null());
        let output = tokio::task::spawn_blocking(move || command.output().expect("the binary runs"));
        Ended::of(output.await.expect("the command ends"))
    }

    /// The counts of a run that went well.
    async fn counts(&self, arguments: &[&str]) -> Value {
        let ended = self.sync(arguments).await;
        assert_eq!(ended.status, 0, "{ended:?}");
        ended.json()["counts"].clone()
    }
}

#[track_caller]
fn check(counts: &Value, expected: &[(&str, u64)]) {
    for (name, number) in expected {
        assert_eq!(counts[*name], *number, "{name} of {counts}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_store_is_kept_in_step() {
    let wiki = Wiki::new(3).await;
    check(&wiki.counts(&[]).await, &[("created", 3), ("total", 3)]);
    check(&wiki.counts(&[]).await, &[("created", 0), ("updated", 0), ("unchanged", 3)]);
    wiki.stand_in.world().edit(2, |document| document.body = "Changed.\n".to_owned());
    wiki.stand_in.world().delete(3);
    check(&wiki.counts(&[]).await, &[("updated", 1), ("deleted", 1), ("unchanged", 1), ("failed", 0)]);
    check(&wiki.counts(&["--full"]).await, &[("unchanged", 2), ("created", 0)]);

    let store = SqliteStore::open(&wiki.store).await.unwrap();
    let original = async |external_id: &str| {
        let key = DocumentKey { data_source: DataSourceId("wiki".to_owned()), external_id: external_id.to_owned() };
        store.document_original(&TenantId::default(), &key).await.unwrap()
    };
    assert!(String::from_utf8(original("2").await.unwrap().to_vec()).unwrap().contains("Changed."));
    assert_eq!(original("3").await, None);
    store.close().await;
    for name in ["headwater.db", "headwater.db-wal"] {
        let bytes = std::fs::read(Path::new(&wiki.store).with_file_name(name)).unwrap_or_default();
        assert!(!bytes.windows(6).any(|window| window == b"tok-ok"), "{name} holds the token");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_deletions_wait_for_a_yes() {
    let wiki = Wiki::new(30).await;
    wiki.counts(&[]).await;
    (1..=25).for_each(|id| wiki.stand_in.world().delete(id));
    check(&wiki.counts(&[]).await, &[("waiting", 25), ("deleted", 0)]);
    check(&wiki.counts(&["--confirm-deletions", "25"]).await, &[("waiting", 0), ("deleted", 25)]);
    check(&wiki.counts(&[]).await, &[("unchanged", 5), ("deleted", 0)]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failed_run_says_why_and_shows_no_token() {
    let wiki = Wiki::new(2).await;
    wiki.say("tok-wrong-0123456789abcdef");
    let ended = wiki.sync(&[]).await;
    let log = ended.json();
    assert_eq!((ended.status, &log["status"]), (1, &json!("failed")), "{ended:?}");
    assert_eq!(log["error"]["code"], "invalid_credentials", "{log}");
    assert!(!format!("{ended:?}").contains("tok-wrong"), "{ended:?}");
    wiki.say("tok-ok");
    check(&wiki.counts(&[]).await, &[("created", 2)]);
}
