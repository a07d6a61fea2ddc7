//! How is a process started, listened to and killed?

use std::env;
use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Starts a process, waits until it has named `named` as done, then `pause` more, and kills it. The last that it named.
pub fn run_until_killed(store: &str, task: &str, named: usize, pause: Duration) -> usize {
    let mut process = start(store, task);
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

pub fn start(store: &str, task: &str) -> Child {
    Command::new(env::current_exe().unwrap())
        .args(["--exact", "worker", "--nocapture"])
        .env(TASK, format!("{store}#{task}"))
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// The numbers that the process names as done, as they come.
pub fn lines(process: &mut Child) -> mpsc::Receiver<usize> {
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

pub const TASK: &str = "HEADWATER_TEST_TASK";
