//! Do the links between our own pages lead somewhere?

use std::collections::BTreeSet;

use super::rust_text::line_of;
use super::source_tree::{SourceFile, Violation, all_paths, assert_caught, assert_none, pages};

/// Relative links of Markdown pages, judged by the paths of files and folders that exist.
fn links_lead_somewhere(pages: &[SourceFile], paths: &BTreeSet<String>) -> Vec<Violation> {
    let mut found = Vec::new();
    for page in pages {
        let folder = page.path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (at, _) in page.text.match_indices("](") {
            let target = page.text[at + 2..].split(')').next().unwrap_or_default();
            let path = target.split('#').next().unwrap_or_default();
            if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
                continue;
            }
            if !paths.contains(&resolve(folder, path)) {
                found.push(page.violation_at(line_of(&page.text, at), format!("`{target}` does not exist")));
            }
        }
    }
    found
}

/// The path that a link in a page of `folder` means, from the workspace's root.
fn resolve(folder: &str, link: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[test]
fn links_between_pages_hold() {
    assert_none("a link leads to a file that exists", &links_lead_somewhere(&pages(), &all_paths()));
}

#[test]
fn a_broken_link_is_caught() {
    let paths = ["docs", "docs/a.md", "README.md"].map(str::to_owned).into();
    let examples = [
        SourceFile::example(
            "README.md",
            "[a](docs/a.md), [docs](docs/),\n[gone](docs/b.md) and [far](https://example.org/x)",
        ),
        SourceFile::example("docs/a.md", "[up](../README.md#try), [here](#top), [wrong](README.md)"),
    ];
    assert_caught(&links_lead_somewhere(&examples, &paths), &["README.md:2", "docs/a.md:1"]);
}
