//! Do imports stand in three blocks: std, other crates, our own modules?

use super::rust_text::word_positions;
use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, rust_files};

/// Which block an import belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Block {
    Std,
    Crates,
    Ours,
}

/// An import at the top level of a file.
#[derive(Debug, Clone, Copy)]
struct Import {
    line: usize,
    block: Block,
    /// Whether nothing but other imports stands between it and the one before.
    joined: bool,
}

fn imports_stand_in_blocks(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files {
        for pair in imports(file).windows(2) {
            let (before, after) = (pair[0], pair[1]);
            if after.block < before.block {
                found.push(file.violation_at(after.line, "stands below a later block"));
            } else if after.joined && after.block != before.block {
                found.push(file.violation_at(after.line, "needs a blank line above: another block begins"));
            }
        }
    }
    found
}

/// The private imports of a file before its first other item, in order.
fn imports(file: &SourceFile) -> Vec<Import> {
    let mut imports = Vec::new();
    let (mut joined, mut open) = (false, false);
    for (number, line) in file.text.lines().enumerate() {
        if open {
            open = !line.trim_end().ends_with(';');
        } else if let Some(path) = line.strip_prefix("use ") {
            imports.push(Import { line: number + 1, block: block(file, path), joined });
            open = !line.trim_end().ends_with(';');
            joined = true;
        } else if ITEMS.iter().any(|item| line.starts_with(item)) {
            break;
        } else {
            joined = false;
        }
    }
    imports
}

fn block(file: &SourceFile, path: &str) -> Block {
    let root: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    let is_module_here = word_positions(&file.text, &format!("mod {root}")).next().is_some();
    match root.as_str() {
        "std" | "core" | "alloc" => Block::Std,
        "crate" | "super" | "self" => Block::Ours,
        _ if is_module_here => Block::Ours,
        _ => Block::Crates,
    }
}

/// What ends the head of a file.
const ITEMS: [&str; 9] =
    ["fn ", "pub fn ", "pub(crate) fn ", "struct ", "pub struct ", "impl ", "enum ", "pub enum ", "const "];

#[test]
fn imports_are_in_order() {
    assert_none("imports stand in three blocks: std, crates, ours", &imports_stand_in_blocks(&rust_files()));
}

#[test]
fn mixed_imports_are_caught() {
    let examples = [
        SourceFile::example(
            "a.rs",
            "//! A.\n\nuse std::fmt;\n\nuse url::{\n    Url,\n};\n\nuse super::B;\n\nfn f() {}\n",
        ),
        SourceFile::example("b.rs", "use std::fmt;\nuse url::Url;\n"),
        SourceFile::example("c.rs", "use url::Url;\n\nuse std::fmt;\n"),
        SourceFile::example("d.rs", "mod parts;\n\nuse url::Url;\n\nuse parts::Part;\nuse super::B;\n"),
        SourceFile::example("e.rs", "use super::B;\nuse url::Url;\n"),
    ];
    assert_caught(&imports_stand_in_blocks(&examples), &["b.rs:2", "c.rs:3", "e.rs:2"]);
}
