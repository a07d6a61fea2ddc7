//! Is there one way out to the network, and no way around the address guard?

use super::rust_text::{line_of, shipped_code, word_positions};
use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, rust_files};

/// What dials or resolves.
const DIALLING: [&str; 13] = [
    "TcpStream",
    "TcpSocket",
    "UdpSocket",
    "UnixStream",
    "UnixDatagram",
    "ToSocketAddrs",
    "to_socket_addrs",
    "lookup_host",
    "hyper::client",
    "hyper_util::client",
    "reqwest",
    "ureq",
    "curl",
];

/// What listens.
const LISTENING: [&str; 2] = ["TcpListener", "UnixListener"];

/// The only crate that dials.
const WAY_OUT: &str = "adapters-http/";

/// Where a server is at home: the web that the demo brings along, the service, and its health probe.
const SERVERS: [&str; 2] = ["app/src/demo", "app/src/api"];

fn one_way_out(files: &[SourceFile]) -> Vec<Violation> {
    let shipped = files.iter().filter(|file| !file.is_test() && !file.path.starts_with("tests/"));
    let mut found = Vec::new();
    for file in shipped {
        let code = shipped_code(&file.text);
        let mut refuse = |words: &[&str], fault: &str| {
            for word in words {
                let positions = word_positions(&code, word);
                found.extend(positions.map(|at| file.violation_at(line_of(&code, at), format!("{word}: {fault}"))));
            }
        };
        let serves = SERVERS.iter().any(|server| file.path.starts_with(server));
        if !file.path.starts_with(WAY_OUT) {
            refuse(&DIALLING, "only adapters-http dials");
        }
        if !serves {
            refuse(&LISTENING, "only the demo and the service listen");
        }
    }
    found
}

#[test]
fn only_the_http_adapter_dials() {
    assert_none("there is one way out, and the guard stands in it", &one_way_out(&rust_files()));
}

#[test]
fn a_second_way_out_is_caught() {
    let examples = [
        SourceFile::example("adapters-http/src/dial.rs", "use tokio::net::TcpStream;\n"),
        SourceFile::example("connectors/src/notion.rs", "\nlet s = tokio::net::TcpStream::connect(a);\n"),
        SourceFile::example("app/src/probe.rs", "use hyper_util::client::legacy::Client;\n"),
        SourceFile::example("app/src/demo/server.rs", "use tokio::net::TcpListener;\n"),
        SourceFile::example("app/src/cli/run.rs", "use tokio::net::TcpListener;\n"),
        SourceFile::example("tests/src/server.rs", "use tokio::net::{TcpListener, TcpStream};\n"),
        SourceFile::example("domain/src/a.rs", "// A TcpStream is not for us.\n"),
    ];
    assert_caught(
        &one_way_out(&examples),
        &["connectors/src/notion.rs:2", "app/src/probe.rs:1", "app/src/cli/run.rs:1"],
    );
}
