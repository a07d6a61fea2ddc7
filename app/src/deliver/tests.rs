//! What `deliver` is held to.

use std::collections::BTreeMap;
use std::sync::Mutex;

use async_trait::async_trait;
use headwater_domain::synthesis::history::RunRecord;
use headwater_tests::fakes::{FakeClock, MemoryStore};

use super::*;
use crate::digest::json;
use crate::digest::tests::digest;

/// Remembers what it took, and fails so often.
#[derive(Default)]
struct Taking {
    taken: Mutex<Vec<(String, String, String)>>,
    failures: Mutex<u32>,
}

#[async_trait]
impl DigestSink for Taking {
    async fn deliver<'a>(&self, delivery: &Delivery<'a>) -> Result<()> {
        let mut failures = self.failures.lock().unwrap();
        if *failures > 0 {
            *failures -= 1;
            let detail = "no answer from https://hooks.example/?token=0123456789abcdef0123456789abcdef";
            return Err(Error::new(ErrorKind::Connect, "deliver digest", detail));
        }
        let mut page = Vec::new();
        delivery.page.write_to(&mut page).unwrap();
        let page = String::from_utf8(page).unwrap();
        self.taken.lock().unwrap().push((delivery.run_id.to_owned(), delivery.idempotency_key.to_owned(), page));
        Ok(())
    }
}

impl Taking {
    fn runs(&self) -> Vec<String> {
        self.taken.lock().unwrap().iter().map(|(run, ..)| run.clone()).collect()
    }
}

struct Office {
    deliverer: Deliverer,
    sinks: BTreeMap<&'static str, Arc<Taking>>,
}

/// A deliverer with a web hook and a file.
fn office() -> Office {
    let sinks: BTreeMap<&str, Arc<Taking>> = BTreeMap::from([("file", Arc::default()), ("hook", Arc::default())]);
    let sink = |name: &str| Sink {
        name: name.to_owned(),
        format: Format::Json,
        wants_empty: false,
        keeps_latest: name == "file",
        sink: Arc::clone(&sinks[name]) as Arc<dyn DigestSink>,
    };
    let deliverer = Deliverer {
        sinks: vec![sink("hook"), sink("file")],
        store: Arc::new(MemoryStore::default()),
        tenant: TenantId::default(),
        clock: Arc::new(FakeClock::default()),
    };
    Office { deliverer, sinks }
}

impl Office {
    /// A run that ended, with its digest owed.
    async fn run(&self, run_id: &str, articles: usize) -> Digest {
        let mut digest = digest((0..articles).map(|_| crate::digest::tests::article("One", Some(0))).collect());
        digest.run_id = run_id.to_owned();
        let Deliverer { store, tenant, .. } = &self.deliverer;
        store.owe(tenant, run_id, &self.deliverer.names(), digest.finished_at).await.unwrap();
        let record = RunRecord {
            run_id: run_id.to_owned(),
            started_at: digest.started_at,
            finished_at: digest.finished_at,
            kept: articles,
            digest_json: json::to_string(&digest).unwrap(),
        };
        store.settle(tenant, &record, &[]).await.unwrap();
        digest
    }

    fn taken(&self, sink: &str) -> Vec<String> {
        self.sinks[sink].runs()
    }
}

#[tokio::test]
async fn a_digest_is_delivered_once() {
    let office = office();
    let digest = office.run("run-1", 1).await;
    let delivered = office.deliverer.deliver_owed(Some(&digest)).await.unwrap();
    assert_eq!(
        delivered.iter().map(|one| (one.sink.as_str(), one.state)).collect::<Vec<_>>(),
        [("file", "delivered"), ("hook", "delivered")]
    );
    assert!(office.deliverer.deliver_owed(Some(&digest)).await.unwrap().is_empty());
    assert_eq!(office.deliverer.deliver_run("run-1", Again::No).await.unwrap().len(), 2);
    assert_eq!(office.taken("hook"), ["run-1"]);
    office.deliverer.deliver_run("run-1", Again::Yes).await.unwrap();
    let taken = office.sinks["hook"].taken.lock().unwrap().clone();
    assert_eq!((taken.len(), &taken[0].1), (2, &taken[1].1), "the key is the same");
}

#[tokio::test]
async fn what_a_run_before_did_not_deliver_comes_first_and_the_same() {
    let office = office();
    let lost = office.run("run-1", 1).await;
    let mut page = Vec::new();
    json::write(&lost, &[], &mut page).unwrap();
    let digest = office.run("run-2", 1).await;
    office.deliverer.deliver_owed(Some(&digest)).await.unwrap();
    assert_eq!(office.taken("hook"), ["run-1", "run-2"]);
    assert_eq!(office.sinks["hook"].taken.lock().unwrap()[0].2.trim_end().as_bytes(), page);
    assert_eq!(office.taken("file"), ["run-1", "run-2"]);
}

#[tokio::test]
async fn an_older_digest_never_takes_the_place_of_the_latest() {
    let office = office();
    *office.sinks["file"].failures.lock().unwrap() = 1;
    office.run("run-1", 1).await;
    office.run("run-2", 1).await;
    let digest = office.run("run-3", 1).await;
    office.deliverer.deliver_owed(Some(&digest)).await.unwrap();
    assert_eq!(office.taken("file"), ["run-3"], "after a failure only the latest is tried");
    assert!(office.deliverer.deliver_owed(None).await.unwrap().is_empty(), "and the others are not owed any more");

    // An empty digest is none that could take another's place.
    *office.sinks["file"].failures.lock().unwrap() = 1;
    office.run("run-4", 1).await;
    let empty = office.run("run-5", 0).await;
    office.deliverer.deliver_owed(Some(&empty)).await.unwrap();
    office.deliverer.deliver_owed(None).await.unwrap();
    assert_eq!(office.taken("file"), ["run-3", "run-4"]);
}

#[tokio::test]
async fn a_long_backlog_does_not_hold_up_the_latest_digest() {
    let office = office();
    for number in 0..MAX_OWED {
        office.run(&format!("run-{number:03}"), 1).await;
    }
    let digest = office.run("run-999", 1).await;
    office.deliverer.deliver_owed(Some(&digest)).await.unwrap();
    assert_eq!(office.taken("hook").last().map(String::as_str), Some("run-999"));
    office.deliverer.deliver_owed(None).await.unwrap();
    assert_eq!(office.taken("hook").len(), MAX_OWED + 1);
    assert_eq!(office.taken("file").last().map(String::as_str), Some("run-999"));
}

#[tokio::test]
async fn one_sink_that_fails_does_not_disturb_the_others_and_is_tried_again() {
    let office = office();
    *office.sinks["hook"].failures.lock().unwrap() = 2;
    office.run("run-1", 1).await;
    let digest = office.run("run-2", 1).await;
    let delivered = office.deliverer.deliver_owed(Some(&digest)).await.unwrap();
    let failed: Vec<_> = delivered.iter().filter(|one| one.error.is_some()).collect();
    assert_eq!(
        failed.iter().map(|one| (one.sink.as_str(), one.run_id.as_str())).collect::<Vec<_>>(),
        [("hook", "run-1"), ("hook", "run-2")]
    );
    assert!(
        failed[0].line().contains("(connect)") && !failed[0].line().contains("0123456789abcdef"),
        "{}",
        failed[0].line()
    );
    assert_eq!(office.taken("file"), ["run-1", "run-2"]);
    office.deliverer.deliver_owed(None).await.unwrap();
    assert_eq!(office.taken("hook"), ["run-1", "run-2"]);
}

#[tokio::test]
async fn a_digest_without_articles_is_left_out_and_counts_as_settled() {
    let office = office();
    let digest = office.run("run-1", 0).await;
    let delivered = office.deliverer.deliver_owed(Some(&digest)).await.unwrap();
    assert!(delivered.iter().all(|one| one.state == "skipped" && one.error.is_none()), "{delivered:?}");
    assert!(office.taken("hook").is_empty());
    assert!(office.deliverer.deliver_owed(None).await.unwrap().is_empty());
}

#[tokio::test]
async fn a_run_that_there_is_not_is_named() {
    let error = office().deliverer.deliver_run("run-9", Again::No).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Store);
}
