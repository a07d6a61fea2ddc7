//! What Ctrl-C does: the first ends a run cleanly, the second at once.
#![cfg(unix)]

use std::io::{BufRead, BufReader};
use std::process::{Child, Command};

use headwater_tests::site::Answer;

use crate::kit::{Ended, Headwater, NOW, items, paths, rss, site};

fn interrupt(child: &Child) {
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(sent.success());
}

#[test]
fn the_first_ctrl_c_keeps_what_is_done_and_the_next_run_goes_on_from_there() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    site.set("/2", Answer::silence());
    let arguments = [&site.url("/"), "--json", "--set", "run.scrape_concurrency=1"];
    let child = headwater.command(NOW, &arguments).spawn().unwrap();
    site.wait_for("/2");
    interrupt(&child);
    let ended = Ended::of(child.wait_with_output().unwrap());
    assert_eq!(ended.status, 3, "{ended:?}");
    let digest = ended.json();
    assert_eq!(digest["interrupted"], true);
    assert_eq!(paths(&digest), ["/1"]);
    assert_eq!(digest["counts"]["deferred"], 2);
    assert!(ended.err.contains("stopping: what is done is kept"), "{ended:?}");

    site.set("/2", crate::kit::article("Article 2"));
    assert_eq!(paths(&headwater.digest(&[&site.url("/")])), ["/2", "/3"]);
}

#[test]
fn the_second_ctrl_c_ends_at_once() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let words: String = (0..40_000).map(|number| format!("word{number} ")).collect();
    site.set("/1", Answer::html(format!("<html><body><article><h1>Long</h1><p>{words}</p></article></body></html>")));
    site.set("/2", Answer::silence());
    // Nobody reads standard output: the long digest does not fit into the pipe, so that the run cannot end by itself.
    let arguments = [&site.url("/"), "--json", "--set", "run.scrape_concurrency=1"];
    let mut child = headwater.command(NOW, &arguments).spawn().unwrap();
    site.wait_for("/2");
    interrupt(&child);
    let err = BufReader::new(child.stderr.take().unwrap());
    assert!(err.lines().any(|line| line.unwrap().contains("press Ctrl-C again")));
    interrupt(&child);
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
