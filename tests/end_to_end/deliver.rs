//! Does every sink get each digest once, whatever happens in between?
#![cfg(unix)]

use std::path::Path;
use std::process::Command;

use headwater_tests::mail::{MailRules, MailServer};
use headwater_tests::server::{Act, Received, Reply, StandIn};
use serde_json::Value;

use crate::kit::{Ended, Headwater, NOW, items, rss, site};

/// A configuration with these sinks.
fn configured(headwater: &Headwater, sinks: &str) -> String {
    headwater.write("headwater.toml", sinks).display().to_string()
}

/// `headwater digest …` over the store of the runs.
fn digest(headwater: &Headwater, config: &str, arguments: &[&str]) -> Ended {
    let mut command = Command::new(env!("CARGO_BIN_EXE_headwater"));
    command.arg("digest").args(arguments).args(["--allow", "127.0.0.1", "--config", config, "--now", NOW]);
    command.arg("--store").arg(format!("sqlite:{}", headwater.path("store.db").display()));
    command.env_clear().env("HOME", headwater.path("")).current_dir(headwater.path(""));
    Ended::of(command.output().expect("the binary runs"))
}

fn hook(server: &StandIn) -> String {
    format!(
        "[[deliver]]\nkind = \"webhook\"\nname = \"chat\"\nurl = \"http://{}/hook?token=0123456789abcdef0123\"\nsecret = \"s3cret-7431\"\n",
        server.address()
    )
}

fn bodies(requests: &[Received]) -> Vec<Value> {
    requests.iter().map(|request| serde_json::from_slice(&request.body).expect("a digest is JSON")).collect()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let name = |entry: std::io::Result<std::fs::DirEntry>| entry.expect("it can be read").file_name();
    let mut names: Vec<String> = entries.map(|entry| name(entry).to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_delivers_its_digest_to_every_sink() {
    let (headwater, site) = (Headwater::new(), site());
    let server = StandIn::start(|_| Reply::new(200)).await;
    let mail = MailServer::start(MailRules::default()).await;
    let sinks = format!(
        "{}[[deliver]]\nkind = \"file\"\npath = \"latest.html\"\n\
         [[deliver]]\nkind = \"directory\"\npath = \"digests\"\nformat = \"markdown\"\n\
         [[deliver]]\nkind = \"smtp\"\nhost = \"127.0.0.1\"\nport = {}\nsecurity = \"none\"\n\
         from = \"digest@example.test\"\nto = [\"reader@example.test\"]\n",
        hook(&server),
        mail.port()
    );
    let config = configured(&headwater, &sinks);
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let url = site.url("/");
    let ended = tokio::task::block_in_place(|| headwater.run(&[&url, "--json", "--config", &config]));
    assert_eq!(ended.status, 0, "{ended:?}");
    let document = ended.json();
    let states: Vec<_> = document["deliveries"].as_array().unwrap().iter().map(|one| &one["state"]).collect();
    assert_eq!(states, ["delivered"; 4], "{document}");

    let sent = bodies(&server.requests());
    assert_eq!((sent.len(), &sent[0]["run_id"], &sent[0]["articles"]), (1, &document["run_id"], &document["articles"]));
    assert!(server.requests()[0].value("x-headwater-signature").unwrap().starts_with("v1="));
    assert!(std::fs::read_to_string(headwater.path("latest.html")).unwrap().contains("Article 3"));
    let dated = names(&headwater.path("digests"));
    assert!(dated.len() == 1 && dated[0].starts_with("2026-05-20-120000-") && dated[0].ends_with(".md"), "{dated:?}");
    assert!(mail.mails()[0].message.contains("Subject: Headwater: 3 new articles from 1 source"), "{:?}", mail.mails());

    // Nothing is new: nobody is told.
    let ended = tokio::task::block_in_place(|| headwater.run(&[&url, "--config", &config]));
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!((server.requests().len(), mail.mails().len(), names(&headwater.path("digests")).len()), (1, 1, 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_digest_that_was_settled_but_not_delivered_is_delivered_by_the_next_run() {
    let (headwater, site) = (Headwater::new(), site());
    // The receiver takes the first request and says nothing: the sender is killed meanwhile.
    let first = std::sync::atomic::AtomicBool::new(true);
    let (asked, told) = std::sync::mpsc::channel();
    let server = StandIn::start(move |_| {
        if first.swap(false, std::sync::atomic::Ordering::SeqCst) {
            asked.send(()).expect("the test waits");
            return Reply::raw([Act::Hang]);
        }
        Reply::new(200)
    })
    .await;
    let config = configured(&headwater, &hook(&server));
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let url = site.url("/");
    tokio::task::block_in_place(|| {
        let mut child = headwater.command(NOW, &[&url, "--config", &config]).spawn().unwrap();
        told.recv().unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
    });

    site.set("/", rss(&items(&site, &[1, 2, 3, 4])));
    let ended = tokio::task::block_in_place(|| {
        headwater.run_at("2026-05-21T12:00:00Z", &[&url, "--json", "--config", &config])
    });
    assert_eq!(ended.status, 0, "{ended:?}");
    let requests = server.requests();
    let keys: Vec<_> = requests.iter().map(|request| request.value("idempotency-key").unwrap()).collect();
    assert_eq!(keys.len(), 3, "the first again, then the second: {keys:?}");
    assert!(keys[0] == keys[1] && keys[1] != keys[2], "{keys:?}");
    let sent = bodies(&requests);
    assert_eq!(sent[0], sent[1], "the same digest");
    assert_eq!((sent[1]["counts"]["kept"].as_u64(), sent[2]["counts"]["kept"].as_u64()), (Some(3), Some(1)));

    let again = tokio::task::block_in_place(|| digest(&headwater, &config, &["deliver", "--json"]));
    assert_eq!((again.status, again.json()["deliveries"].as_array().unwrap().len()), (0, 0), "{again:?}");
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sink_that_fails_is_named_and_can_be_tried_again() {
    let (headwater, site) = (Headwater::new(), site());
    let refuses = std::sync::atomic::AtomicUsize::new(2);
    let server = StandIn::start(move |_| {
        let refused =
            refuses.fetch_update(std::sync::atomic::Ordering::SeqCst, std::sync::atomic::Ordering::SeqCst, |left| {
                left.checked_sub(1)
            });
        Reply::new(if refused.is_ok() { 401 } else { 200 })
    })
    .await;
    let sinks = hook(&server) + "[[deliver]]\nkind = \"file\"\npath = \"latest.txt\"\n";
    let config = configured(&headwater, &sinks);
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let url = site.url("/");
    let ended = tokio::task::block_in_place(|| headwater.run(&[&url, "--json", "--config", &config]));
    assert_eq!(ended.status, 3, "{ended:?}");
    assert!(ended.err.contains("chat: run") && ended.err.contains("HTTP 401"), "{ended:?}");
    let told = format!("{} {}", ended.out, ended.err);
    assert!(!told.contains("s3cret") && !told.contains("0123456789abcdef"), "{told}");
    let failed = &ended.json()["deliveries"][0];
    assert_eq!((failed["sink"].as_str(), failed["state"].as_str()), (Some("chat"), Some("owed")));
    assert!(headwater.path("latest.txt").exists(), "one sink does not disturb another");

    let run = ended.json()["run_id"].as_str().unwrap().to_owned();
    let deliver = |arguments: &[&str]| tokio::task::block_in_place(|| digest(&headwater, &config, arguments));
    let second = deliver(&["deliver", &run]);
    assert!(second.status == 3 && second.out.contains("chat: run"), "{second:?}");
    let third = deliver(&["deliver", &run, "--json"]);
    assert_eq!((third.status, third.json()["deliveries"][0]["attempts"].as_u64()), (0, Some(3)), "{third:?}");
    assert_eq!(deliver(&["deliver", &run]).status, 0);
    assert_eq!(server.requests().len(), 3, "what is delivered is not sent again");
    assert_eq!(deliver(&["deliver", &run, "--again", "--sink", "chat"]).status, 0);
    assert_eq!(server.requests().len(), 4);
    for (arguments, status) in
        [(&["deliver", "no-such-run"][..], 1), (&["deliver", "--sink", "nobody"], 2), (&["deliver", "--again"], 2)]
    {
        assert_eq!(deliver(arguments).status, status, "{arguments:?}");
    }
}

#[test]
fn a_sink_that_cannot_be_set_up_is_told_before_any_work() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    for sink in [
        "[[deliver]]\nkind = \"webhook\"\n",
        "[[deliver]]\nkind = \"webhook\"\nurl = \"no url\"\n",
        "[[deliver]]\nkind = \"file\"\npath = \"a.html\"\nurl = \"https://a.example/\"\n",
        "[[deliver]]\nkind = \"smtp\"\nhost = \"mail.example.test\"\nfrom = \"x\"\nto = [\"y@example.test\"]\n",
        "[[deliver]]\nkind = \"file\"\npath = \"a.html\"\n[[deliver]]\nkind = \"file\"\npath = \"b.html\"\n",
        "[model]\nurl = \"https://api.example/v1/chat/completions\"\n",
    ] {
        let config = configured(&headwater, sink);
        let ended = headwater.run(&[&site.url("/"), "--json", "--config", &config]);
        assert_eq!(
            (ended.status, ended.json()["error"]["code"].as_str()),
            (1, Some("invalid_config")),
            "{sink}: {ended:?}"
        );
    }
    assert!(site.take_requests().is_empty(), "nothing was read");
}
