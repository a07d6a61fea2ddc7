//! Is everything that stands there finished, and does every test run?

use super::rust_text::{code, line_of};
use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, rust_files};

/// What says that something is left undone, with what to do instead.
const UNDONE: [(&str, &str); 6] = [
    ("todo!", "finish it, or leave it out"),
    ("unimplemented!", "finish it, or leave it out"),
    ("dbg!", "take it out"),
    ("#[ignore", "a test runs, or it is not there"),
    ("#![allow", "an exception is `#[expect(lint, reason = …)]`, on the item concerned"),
    ("#[allow(dead_code", "code that nobody calls is not kept"),
];

fn nothing_is_left_undone(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files {
        let code = code(&file.text);
        for (words, advice) in UNDONE {
            for (at, _) in code.match_indices(words) {
                found.push(file.violation_at(line_of(&code, at), format!("{words}: {advice}")));
            }
        }
    }
    found
}

#[test]
fn nothing_is_a_stub() {
    assert_none("what stands there is finished", &nothing_is_left_undone(&rust_files()));
}

#[test]
fn a_stub_is_caught() {
    let text = "fn a() {\n    todo!()\n}\n// todo!\n#[test]\n#[ignore = \"slow\"]\nfn b() { let x = \"dbg!\"; }\n";
    let places = ["domain/src/a.rs:2", "domain/src/a.rs:6"];
    assert_caught(&nothing_is_left_undone(&[SourceFile::example("domain/src/a.rs", text)]), &places);
}
