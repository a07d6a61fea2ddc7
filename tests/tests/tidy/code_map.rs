//! Does the code map of ARCHITECTURE.md name folders and files that exist?

use std::collections::BTreeSet;

use super::rust_text::line_of;
use super::source_tree::{SourceFile, Violation, all_paths, assert_caught, assert_none, file, manifests};

/// The rows of the map: the line, the folder, and the files to start at. Names stand in backticks.
fn rows(page: &SourceFile) -> Vec<(usize, String, Vec<String>)> {
    let mut rows = Vec::new();
    for (at, _) in page.text.match_indices("\n| `") {
        let row = page.text[at + 1..].lines().next().unwrap_or_default();
        let cells: Vec<_> = row.trim_matches('|').split('|').collect();
        let names = |cell: &str| cell.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
        if let [folder, _, files] = cells[..]
            && let Some(folder) = names(folder).into_iter().next()
        {
            rows.push((line_of(&page.text, at + 1), folder, names(files)));
        }
    }
    rows
}

fn names_what_exists(page: &SourceFile, paths: &BTreeSet<String>) -> Vec<Violation> {
    let mut found = Vec::new();
    for (line, folder, files) in rows(page) {
        let named = files.iter().map(|file| format!("{folder}/{file}"));
        for path in std::iter::once(folder.clone()).chain(named) {
            if !paths.contains(&path) {
                found.push(page.violation_at(line, format!("{path} does not exist")));
            }
        }
    }
    found
}

fn names_every_crate(page: &SourceFile, crates: &BTreeSet<String>) -> Vec<Violation> {
    let named: BTreeSet<_> = rows(page).iter().filter_map(|row| row.1.split('/').next().map(str::to_owned)).collect();
    crates.difference(&named).map(|missing| page.violation(format!("{missing} is not in the code map"))).collect()
}

#[test]
fn the_code_map_is_right() {
    let page = file("ARCHITECTURE.md");
    let crates = manifests().iter().map(|manifest| manifest.folder().to_owned()).collect();
    let mut found = names_what_exists(&page, &all_paths());
    found.extend(names_every_crate(&page, &crates));
    assert_none("the code map names what exists, and every crate", &found);
}

#[test]
fn a_wrong_row_is_caught() {
    let page = SourceFile::example(
        "ARCHITECTURE.md",
        "# Map\n\n| folder | what | start |\n|---|---|---|\n| `a/src` | one | `x.rs`, `gone.rs` |\n| `b` | two | `y.rs` |\n",
    );
    let paths = ["a/src", "a/src/x.rs", "b/y.rs"].map(str::to_owned).into();
    assert_caught(&names_what_exists(&page, &paths), &["ARCHITECTURE.md:5", "ARCHITECTURE.md:6"]);
    let crates = ["a", "b", "c"].map(str::to_owned).into();
    assert_caught(&names_every_crate(&page, &crates), &["ARCHITECTURE.md"]);
}
