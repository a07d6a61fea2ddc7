//! Can the two database crates be read side by side, file by file?

use std::collections::BTreeSet;

use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, rust_files};

const TWINS: [&str; 2] = ["adapters-sqlite/", "adapters-postgres/"];

/// The same file names in both, so that a diff of the two folders is a review.
fn stores_have_the_same_files(files: &[SourceFile]) -> Vec<Violation> {
    let names = |crate_folder: &str| -> BTreeSet<String> {
        let inside =
            files.iter().filter(|file| !file.is_test()).filter_map(|file| file.path.strip_prefix(crate_folder));
        inside.filter(|path| path.starts_with("src/")).map(str::to_owned).collect()
    };
    let [left, right] = TWINS.map(names);
    let lonely = left.symmetric_difference(&right);
    lonely
        .map(|path| SourceFile::example(path, "").violation("stands in one of the two database crates only"))
        .collect()
}

#[test]
fn the_two_stores_have_the_same_files() {
    assert_none("the database crates are twins", &stores_have_the_same_files(&rust_files()));
}

#[test]
fn a_file_without_its_twin_is_caught() {
    let examples = [
        SourceFile::example("adapters-sqlite/src/store.rs", ""),
        SourceFile::example("adapters-postgres/src/store.rs", ""),
        SourceFile::example("adapters-sqlite/src/pragma.rs", ""),
        SourceFile::example("adapters-postgres/src/store/tests.rs", ""),
        SourceFile::example("adapters-http/src/dial.rs", ""),
    ];
    assert_caught(&stores_have_the_same_files(&examples), &["src/pragma.rs"]);
}
