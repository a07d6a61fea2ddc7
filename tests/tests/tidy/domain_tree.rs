//! Is the domain's whole tree of dependencies free of runtimes, HTTP, databases and chance?

use std::collections::{BTreeMap, BTreeSet};

use super::manifests::{dependencies, parse};
use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, file};

/// Packages, or families of them by their beginning, that do what the domain must not.
const IMPURE: [&str; 27] = [
    "actix",
    "async-std",
    "async-io",
    "async-trait",
    "attohttpc",
    "diesel",
    "futures",
    "getrandom",
    "h2",
    "hyper",
    "isahc",
    "libsqlite3",
    "mio",
    "postgres",
    "rand",
    "reqwest",
    "ring",
    "rusqlite",
    "rustls",
    "smol",
    "socket2",
    "sqlx",
    "tokio",
    "tower",
    "ureq",
    "uuid",
    "aws-lc",
];

/// The names that the manifest's `[dependencies]` reach through the lock file, and which of ours led there.
///
/// Development dependencies are left out at the first step only: a lock file does not tell them apart, but those of
/// libraries are not in it.
fn reached(manifest: &SourceFile, lock: &SourceFile) -> BTreeMap<String, String> {
    let lock: toml::Table = lock.text.parse().expect("Cargo wrote the lock file");
    let packages = lock.get("package").and_then(toml::Value::as_array).expect("a lock file lists packages");
    let name_of = |value: &toml::Value| value.get("name").and_then(toml::Value::as_str).unwrap_or_default().to_owned();
    let uses: BTreeMap<String, BTreeSet<String>> = packages.iter().fold(BTreeMap::new(), |mut uses, package| {
        let entries = package.get("dependencies").and_then(toml::Value::as_array).cloned().unwrap_or_default();
        let names = entries.iter().filter_map(|entry| entry.as_str()?.split(' ').next().map(str::to_owned));
        uses.entry(name_of(package)).or_default().extend(names);
        uses
    });
    let direct = dependencies(&parse(manifest)).into_iter().filter(|(table, ..)| *table != "dev-dependencies");
    let mut reached = BTreeMap::new();
    let mut open: Vec<(String, String)> = direct.map(|(_, name, _)| (name.clone(), name)).collect();
    while let Some((name, through)) = open.pop() {
        if reached.insert(name.clone(), through.clone()).is_none() {
            let next = uses.get(&name).into_iter().flatten();
            open.extend(next.map(|next| (next.clone(), through.clone())));
        }
    }
    reached
}

fn the_tree_is_pure(manifest: &SourceFile, lock: &SourceFile) -> Vec<Violation> {
    let impure = |name: &str| {
        IMPURE
            .iter()
            .any(|family| name == *family || name.strip_prefix(family).is_some_and(|rest| rest.starts_with('-')))
    };
    let reached = reached(manifest, lock);
    let found = reached.iter().filter(|(name, _)| impure(name));
    found.map(|(name, through)| manifest.violation(format!("reaches {name} through {through}"))).collect()
}

#[test]
fn the_domain_reaches_nothing_impure() {
    let (manifest, lock) = (file("domain/Cargo.toml"), file("Cargo.lock"));
    assert!(reached(&manifest, &lock).len() > 10, "the walk through the lock file is broken");
    assert_none("the domain is plain functions over plain data", &the_tree_is_pure(&manifest, &lock));
}

#[test]
fn a_runtime_deep_in_the_tree_is_caught() {
    let manifest = SourceFile::example(
        "domain/Cargo.toml",
        "[dependencies]\nharmless.workspace = true\n[dev-dependencies]\nproptest.workspace = true\n",
    );
    let lock = "[[package]]\nname = \"harmless\"\nversion = \"1.0.0\"\ndependencies = [\"deep 0.1.0\"]\n\
                [[package]]\nname = \"deep\"\nversion = \"0.1.0\"\ndependencies = [\"tokio\", \"harmless\"]\n\
                [[package]]\nname = \"tokio\"\nversion = \"1.0.0\"\n\
                [[package]]\nname = \"proptest\"\nversion = \"1.0.0\"\ndependencies = [\"rand\"]\n\
                [[package]]\nname = \"rand\"\nversion = \"1.0.0\"\n";
    let found = the_tree_is_pure(&manifest, &SourceFile::example("Cargo.lock", lock));
    assert_caught(&found, &["domain/Cargo.toml"]);
    assert_eq!(found[0].fault, "reaches tokio through harmless");
}
