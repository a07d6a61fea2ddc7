//! Is anything half there after kill -9, and do two processes on one file leave each other's work alone?
//!
//! The processes are this very test program, started again for the test `worker` with its task in the environment.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]
#![expect(clippy::print_stdout, reason = "a worker tells its parent how far it is")]

use std::env;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use headwater_adapters_sqlite::{SqliteAdmin, SqliteStore};
use headwater_domain::synthesis::history::{ArticleKey, Fate, HistoryEntry, RunRecord};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{ArticleStore, FeedStore, StoreAdmin};
use jiff::Timestamp;

/// What a started process does: it settles runs one after the other, each with a batch of articles and a checkpoint, and
/// names each run that it has done on standard output. Without a task it is a test of that work itself.
#[tokio::test]
async fn worker() {
    let Ok(task) = env::var(TASK) else {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("headwater.db");
        work(&path, 0, 3).await;
        assert_eq!(whole_runs(&path).await, 3);
        return;
    };
    let (path, name) = task.rsplit_once('#').unwrap();
    match name {
        "migrate" => {
            for n in 0..10_000 {
                SqliteStore::open(&format!("{path}.{n}")).await.unwrap();
                println!("\ndone {n}");
            }
        }
        "share" => println!("\ndone {}", settle_all(Path::new(path)).await),
        first => work(Path::new(path), first.parse().unwrap(), 10_000).await,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_every_run_is_whole_or_absent_and_the_work_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headwater.db");
    let mut done = 0;
    for round in 0..20 {
        // Killed after some more runs, at whatever point it is in the next one.
        let said =
            run_until_killed(&path, &done.to_string(), done + round % 3, Duration::from_micros(round as u64 * 977));
        let there = whole_runs(&path).await;
        assert!(there > said, "round {round}: {said} was named as done, and {there} runs are there");
        done = there;
    }
    work(&path, done, 1).await;
    assert_eq!(whole_runs(&path).await, done + 1);
    assert_eq!(SqliteAdmin::new(path.to_str().unwrap()).unwrap().check().await.unwrap(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_during_a_migration_the_store_opens() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..20_u64 {
        let path = folder.path().join(format!("{round}.db"));
        let said = run_until_killed(&path, "migrate", 0, Duration::from_micros(round * 531));
        for n in 0..=said + 1 {
            let path = PathBuf::from(format!("{}.{n}", path.display()));
            work(&path, 0, 1).await;
            assert_eq!(whole_runs(&path).await, 1, "round {round}, store {n}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_processes_one_has_each_article() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("headwater.db");
    let processes: Vec<_> = (0..2).map(|_| start(&path, "share")).collect();
    let settled: usize = processes
        .into_iter()
        .map(|mut process| {
            let settled = lines(&mut process).recv().expect("the process names how many it settled");
            assert!(process.wait().unwrap().success());
            settled
        })
        .sum();
    assert_eq!(settled, SHARED);
}

/// Settles runs `first..first + count`, each with a full batch, and checkpoints after each.
async fn work(path: &Path, first: usize, count: usize) {
    let store = SqliteStore::open(path.to_str().unwrap()).await.unwrap();
    for n in first..first + count {
        let entries: Vec<_> = (0..BATCH).map(|article| entry(&format!("{n}/{article}"))).collect();
        let settled = store.settle(&TenantId::default(), &run(n), &entries).await.unwrap();
        assert_eq!(settled.len(), BATCH);
        store.save_feed_memory(&TenantId::default(), FEED, &n.to_string().repeat(1000)).await.unwrap();
        println!("\ndone {n}");
    }
    store.close().await;
}

/// How many runs there are, each of which must have all of its articles; what follows them must have none.
async fn whole_runs(path: &Path) -> usize {
    let store = SqliteStore::open(path.to_str().unwrap()).await.unwrap();
    let runs = store.runs(&TenantId::default(), usize::MAX).await.unwrap();
    for n in 0..=runs.len() {
        let keys: Vec<_> = (0..BATCH).map(|article| ArticleKey(format!("{n}/{article}"))).collect();
        let known = store.known(&TenantId::default(), &keys).await.unwrap().len();
        assert_eq!(known, if n < runs.len() { BATCH } else { 0 }, "articles of run {n} of {}", runs.len());
    }
    if let Some(memory) = store.feed_memory(&TenantId::default(), FEED).await.unwrap() {
        let last = runs.len() - 1;
        assert!((last.saturating_sub(1)..=last).any(|n| memory == n.to_string().repeat(1000)), "a checkpoint is torn");
    }
    store.close().await;
    runs.len()
}

/// Settles the articles that all processes share, in batches; how many of them this process had.
async fn settle_all(path: &Path) -> usize {
    let store = SqliteStore::open(path.to_str().unwrap()).await.unwrap();
    let run = RunRecord { run_id: format!("process {}", std::process::id()), ..run(0) };
    let mut settled = 0;
    for batch in 0..SHARED / BATCH {
        let entries: Vec<_> = (0..BATCH).map(|n| entry(&format!("shared {}", batch * BATCH + n))).collect();
        settled += store.settle(&TenantId::default(), &run, &entries).await.unwrap().len();
    }
    settled
}

/// Starts a process, waits until it has named `named` as done, then `pause` more, and kills it. The last that it named.
fn run_until_killed(path: &Path, task: &str, named: usize, pause: Duration) -> usize {
    let mut process = start(path, task);
    let lines = lines(&mut process);
    let mut last = lines.recv().expect("the process begins its work");
    while last < named {
        last = lines.recv().expect("the process goes on with its work");
    }
    let _ = lines.recv_timeout(pause).map(|line| last = line);
    process.kill().unwrap();
    process.wait().unwrap();
    lines.iter().last().unwrap_or(last)
}

fn start(path: &Path, task: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "worker", "--nocapture"])
        .env(TASK, format!("{}#{task}", path.display()))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The numbers that the process names as done, as they come.
fn lines(process: &mut Child) -> mpsc::Receiver<usize> {
    let output = process.stdout.take().expect("standard output is a pipe");
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            if let Some(number) = line.strip_prefix("done ").and_then(|number| number.parse().ok()) {
                let _ = sender.send(number);
            }
        }
    });
    receiver
}

fn entry(name: &str) -> HistoryEntry {
    HistoryEntry {
        key: ArticleKey(name.to_owned()),
        url: format!("https://site.example/{name}"),
        title: Some("A title of the usual length, for the size of the row".to_owned()),
        source_url: "https://site.example/".to_owned(),
        fate: Fate::Kept,
        failures: 0,
        seen_at: Timestamp::UNIX_EPOCH,
    }
}

fn run(n: usize) -> RunRecord {
    RunRecord {
        run_id: format!("{n:06}"),
        started_at: Timestamp::UNIX_EPOCH,
        finished_at: Timestamp::UNIX_EPOCH,
        kept: BATCH,
        digest_json: "{}".to_owned(),
    }
}

const TASK: &str = "HEADWATER_TEST_TASK";
const FEED: &str = "https://site.example/feed.xml";
const BATCH: usize = 200;
const SHARED: usize = 4000;
