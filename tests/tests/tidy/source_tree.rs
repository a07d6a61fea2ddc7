//! Which files the workspace is made of, and how a broken rule is reported.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// A file with its path from the workspace's root, `/` between the folders.
#[derive(Debug, Clone)]
pub struct SourceFile {
    pub path: String,
    pub text: String,
}

/// One place that breaks a rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    pub place: String,
    pub fault: String,
}

impl SourceFile {
    /// A made-up file, for the examples that show what a rule catches.
    pub fn example(path: &str, text: &str) -> Self {
        Self { path: path.to_owned(), text: text.to_owned() }
    }

    /// The top folder: the crate's, since crates stand at the root.
    pub fn folder(&self) -> &str {
        self.path.split('/').next().unwrap_or_default()
    }

    /// Whether the file holds tests and nothing that is shipped.
    pub fn is_test(&self) -> bool {
        let folders = ["tests/tests/", "tests/end_to_end/", "benches/", "fuzz/"];
        self.path.ends_with("/tests.rs")
            || folders.iter().any(|folder| self.path.starts_with(folder))
            || self.path.contains("/src/") && self.path.contains("/tests/")
    }

    /// A fault in this file.
    pub fn violation(&self, fault: impl Into<String>) -> Violation {
        Violation { place: self.path.clone(), fault: fault.into() }
    }

    /// A fault on a line (from 1) of this file.
    pub fn violation_at(&self, line: usize, fault: impl Into<String>) -> Violation {
        Violation { place: format!("{}:{line}", self.path), fault: fault.into() }
    }
}

/// Every Rust file that is kept in the repository.
pub fn rust_files() -> Vec<SourceFile> {
    let files = files_named(|name| name.ends_with(".rs"));
    assert!(files.len() > 50, "only {} Rust files found: the walk is broken", files.len());
    files
}

/// The manifests of the crates; the virtual one at the root is left out.
pub fn manifests() -> Vec<SourceFile> {
    let files: Vec<_> =
        files_named(|name| name == "Cargo.toml").into_iter().filter(|file| file.path.contains('/')).collect();
    assert!(files.len() >= 8, "only {} manifests found: the walk is broken", files.len());
    files
}

/// The Markdown pages for people.
pub fn pages() -> Vec<SourceFile> {
    let is_ours = |page: &SourceFile| !page.path.contains('/') || page.path.starts_with("docs/");
    files_named(|name| name.ends_with(".md")).into_iter().filter(is_ours).collect()
}

/// The paths of all files and folders.
pub fn all_paths() -> BTreeSet<String> {
    let root = root();
    walk(&root).iter().map(|path| inside(&root, path)).collect()
}

/// One file of the repository.
pub fn file(path: &str) -> SourceFile {
    let text = fs::read_to_string(root().join(path)).expect("the file is part of the repository");
    SourceFile { path: path.to_owned(), text }
}

/// Fails with every place that breaks the rule.
#[track_caller]
pub fn assert_none(rule: &str, violations: &[Violation]) {
    let list: Vec<_> = violations.iter().map(|found| format!("\n  {}: {}", found.place, found.fault)).collect();
    assert!(list.is_empty(), "{rule}{}", list.concat());
}

/// Fails unless the rule finds exactly the faults in the places given.
#[track_caller]
pub fn assert_caught(violations: &[Violation], places: &[&str]) {
    let found: Vec<_> = violations.iter().map(|violation| violation.place.as_str()).collect();
    assert_eq!(found, places, "{violations:#?}");
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("crates stand in the root's folders").to_owned()
}

fn files_named(wanted: impl Fn(&str) -> bool) -> Vec<SourceFile> {
    let root = root();
    let named = |path: &Path| path.file_name().and_then(|name| name.to_str()).is_some_and(&wanted);
    let paths = walk(&root).into_iter().filter(|path| path.is_file() && named(path));
    let mut files: Vec<_> = paths.map(|path| read(&root, &path)).collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    files
}

/// Every file and folder, but for hidden ones and what is built.
fn walk(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder was just listed") {
            let path = entry.expect("the folder is readable").path();
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if name.starts_with('.') || name == "target" {
                continue;
            }
            if path.is_dir() {
                folders.push(path.clone());
            }
            found.push(path);
        }
    }
    found
}

fn read(root: &Path, path: &Path) -> SourceFile {
    let text = fs::read_to_string(path).expect("source files are UTF-8");
    SourceFile { path: inside(root, path), text }
}

fn inside(root: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(root).expect("the walk began at the root");
    inside.to_string_lossy().replace('\\', "/")
}
