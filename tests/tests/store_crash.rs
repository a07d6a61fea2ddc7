//! Is anything half there after kill -9, and do two processes on one store leave each other's work alone, in both stores?
//!
//! The processes are this very test program, started again for the test `worker` with its task in the environment.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]
#![expect(clippy::print_stdout, reason = "a worker tells its parent how far it is")]

#[path = "store_crash/checkpoint.rs"]
mod checkpoint;
#[path = "store_crash/process.rs"]
mod process;
#[path = "store_crash/schema.rs"]
mod schema;
#[path = "store_crash/work.rs"]
mod work;

use std::path::Path;
use std::time::Duration;

use headwater_tests::postgres::PostgresServer;

use self::process::{TASK, lines, run_until_killed, start};
use self::work::{SHARED, assert_sound, let_go, settle_all, whole_runs, work};

/// What a started process does: it settles runs one after the other, each with a batch of articles and a checkpoint, and
/// names each run that it has done on standard output. Without a task it is a test of that work itself.
#[tokio::test]
async fn worker() {
    let Ok(task) = std::env::var(TASK) else {
        let folder = tempfile::tempdir().unwrap();
        let store = file(folder.path(), "headwater.db");
        work(&store, 0, 3).await;
        assert_eq!(whole_runs(&store).await, 3);
        return;
    };
    let (store, name) = task.rsplit_once('#').unwrap();
    match name {
        "migrate" => schema::migrate_again_and_again(store).await,
        "open" => schema::open_once(store).await,
        name if name.starts_with("sync ") => {
            checkpoint::work(store, name.trim_start_matches("sync ").parse().unwrap(), None).await;
        }
        "share" => println!("\ndone {}", settle_all(store).await),
        first => work(store, first.parse().unwrap(), 10_000).await,
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_every_run_is_whole_or_absent_and_the_work_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    runs_survive(&file(folder.path(), "headwater.db")).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_every_run_in_postgres_is_whole_or_absent_and_the_work_goes_on() {
    let server = PostgresServer::start().await;
    runs_survive(&server.database().await).await;
}

async fn runs_survive(store: &str) {
    let mut done = 0;
    for round in 0..20 {
        // Killed after some more runs, at whatever point it is in the next one.
        let said =
            run_until_killed(store, &done.to_string(), done + round % 3, Duration::from_micros(round as u64 * 977));
        let_go(store).await;
        let there = whole_runs(store).await;
        assert!(there > said, "round {round}: {said} was named as done, and {there} runs are there");
        done = there;
    }
    work(store, done, 1).await;
    assert_eq!(whole_runs(store).await, done + 1);
    assert_sound(store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_during_a_first_migration_the_store_opens() {
    let folder = tempfile::tempdir().unwrap();
    for round in 0..20_u64 {
        let store = file(folder.path(), &format!("{round}.db"));
        let said = run_until_killed(&store, "migrate", 0, Duration::from_micros(round * 531));
        for n in 0..=said + 1 {
            let store = format!("{store}.{n}");
            work(&store, 0, 1).await;
            assert_eq!(whole_runs(&store).await, 1, "round {round}, store {n}");
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_during_a_first_migration_the_database_opens() {
    let server = PostgresServer::start().await;
    let store = server.database().await;
    for round in 0..20_u64 {
        run_until_killed(&store, "migrate", 0, Duration::from_micros(round * 1733));
        let_go(&store).await;
        work(&store, whole_runs(&store).await, 1).await;
        assert_eq!(whole_runs(&store).await, 1, "round {round}");
    }
    assert_sound(&store).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_during_the_migration_of_a_full_store_nothing_is_lost() {
    let folder = tempfile::tempdir().unwrap();
    let old = file(folder.path(), "old.db");
    schema::old_file(&old).await;
    for round in 0..20_u64 {
        let store = file(folder.path(), &format!("{round}.db"));
        std::fs::copy(&old, &store).unwrap();
        run_until_killed(&store, "open", 0, Duration::from_micros(round * 1999));
        schema::assert_nothing_is_lost(&store).await;
        std::fs::remove_file(&store).unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn after_kill_9_during_the_migration_of_a_full_database_nothing_is_lost() {
    let server = PostgresServer::start().await;
    let store = server.database().await;
    for round in 0..20_u64 {
        schema::old_database(&store).await;
        run_until_killed(&store, "open", 0, Duration::from_micros(round * 3001));
        let_go(&store).await;
        schema::assert_nothing_is_lost(&store).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_processes_one_has_each_article() {
    let folder = tempfile::tempdir().unwrap();
    share(&file(folder.path(), "headwater.db"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_two_processes_on_a_database_one_has_each_article() {
    let server = PostgresServer::start().await;
    share(&server.database().await);
}

fn share(store: &str) {
    let processes: Vec<_> = (0..2).map(|_| start(store, "share")).collect();
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

fn file(folder: &Path, name: &str) -> String {
    folder.join(name).to_str().expect("temporary folders have plain names").to_owned()
}
