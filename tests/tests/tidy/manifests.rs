//! Are versions, lints and metadata written once, at the root?

use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, manifests};

/// The dependencies of a manifest's tables: the table's name, and each dependency's name and value.
pub fn dependencies(manifest: &toml::Table) -> Vec<(&'static str, String, toml::Value)> {
    const TABLES: [&str; 3] = ["dependencies", "dev-dependencies", "build-dependencies"];
    let in_table = |table: &'static str| {
        let entries = manifest.get(table).and_then(toml::Value::as_table).cloned().unwrap_or_default();
        entries.into_iter().map(move |(name, value)| (table, name, value))
    };
    TABLES.into_iter().flat_map(in_table).collect()
}

/// The manifest as a table.
pub fn parse(file: &SourceFile) -> toml::Table {
    file.text.parse().unwrap_or_else(|error| panic!("{} is no TOML: {error}", file.path))
}

/// A folder that stands outside the workspace on purpose, with a lock of its own.
fn stands_alone(manifest: &toml::Table) -> bool {
    manifest.contains_key("workspace")
}

fn written_once(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files {
        let manifest = parse(file);
        if stands_alone(&manifest) {
            continue;
        }
        let inherits = |value: &toml::Value| value.get("workspace").and_then(toml::Value::as_bool) == Some(true);
        for (table, name, value) in dependencies(&manifest) {
            if !inherits(&value) {
                found.push(file.violation(format!("[{table}] {name} does not take its version from the root")));
            }
        }
        if !manifest.get("lints").is_some_and(inherits) {
            found.push(file.violation("the workspace's lints are not taken over"));
        }
        for key in ["version", "edition", "license"] {
            if !manifest.get("package").and_then(|package| package.get(key)).is_some_and(inherits) {
                found.push(file.violation(format!("package.{key} is not taken from the root")));
            }
        }
    }
    found
}

#[test]
fn versions_and_lints_are_written_once() {
    assert_none("what all crates share stands in the root manifest", &written_once(&manifests()));
}

#[test]
fn a_version_of_its_own_is_caught() {
    let sound = "[package]\nversion.workspace = true\nedition.workspace = true\nlicense.workspace = true\n";
    let examples = [
        SourceFile::example(
            "a/Cargo.toml",
            &format!("{sound}[lints]\nworkspace = true\n[dependencies]\nurl = \"2\"\n"),
        ),
        SourceFile::example("b/Cargo.toml", sound),
        SourceFile::example("c/Cargo.toml", &format!("{sound}[lints]\nworkspace = true\n")),
        SourceFile::example("d/Cargo.toml", "[package]\nversion = \"1\"\n[workspace]\n"),
        SourceFile::example("e/Cargo.toml", "[package]\nversion = \"1\"\n[lints]\nworkspace = true\n"),
    ];
    let places = ["a/Cargo.toml", "b/Cargo.toml", "e/Cargo.toml", "e/Cargo.toml", "e/Cargo.toml"];
    assert_caught(&written_once(&examples), &places);
}
