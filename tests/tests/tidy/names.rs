//! Are files and functions named for what they are?

use super::rust_text::{functions, shipped_code};
use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, rust_files};

/// Names that say that somebody did not know where a thing belongs.
const DRAWERS: [&str; 14] = [
    "util",
    "utils",
    "utility",
    "utilities",
    "helper",
    "helpers",
    "common",
    "manager",
    "managers",
    "misc",
    "stuff",
    "shared",
    "prelude",
    "types",
];

fn no_drawers(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files {
        for part in file.path.trim_end_matches(".rs").split('/') {
            if part == "mod" {
                found.push(file.violation("is a mod.rs: a module is `foo.rs` with a folder `foo`"));
            } else if part.split(['_', '-']).any(|word| DRAWERS.contains(&word)) {
                found.push(file.violation(format!("`{part}` is a drawer: name the concept")));
            }
        }
    }
    found
}

fn no_getters_by_that_name(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files {
        for function in functions(&shipped_code(&file.text)) {
            if function.name.starts_with("get_") {
                found.push(file.violation_at(function.first_line, format!("`{}`: a getter is a noun", function.name)));
            }
        }
    }
    found
}

#[test]
fn files_are_named_for_their_concept() {
    assert_none("a file is its concept", &no_drawers(&rust_files()));
}

#[test]
fn getters_are_nouns() {
    assert_none("getters are nouns and borrow", &no_getters_by_that_name(&rust_files()));
}

#[test]
fn a_drawer_is_caught() {
    let examples = [
        SourceFile::example("domain/src/feed/mod.rs", ""),
        SourceFile::example("app/src/string_utils.rs", ""),
        SourceFile::example("app/src/common/paths.rs", ""),
        SourceFile::example("app/src/commonplace.rs", ""),
        SourceFile::example("domain/src/feed/model.rs", ""),
    ];
    let places = ["domain/src/feed/mod.rs", "app/src/string_utils.rs", "app/src/common/paths.rs"];
    assert_caught(&no_drawers(&examples), &places);
}

#[test]
fn a_getter_by_that_name_is_caught() {
    let text = "fn title() {}\nfn get_title() { // get_\n}\nfn forget_it() {}\n";
    assert_caught(&no_getters_by_that_name(&[SourceFile::example("domain/src/a.rs", text)]), &["domain/src/a.rs:2"]);
}
