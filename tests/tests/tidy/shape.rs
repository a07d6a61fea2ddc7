//! Can every file be read in one sitting, and does it say first what it answers?

use super::rust_text::{functions, line_of, shipped_code};
use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, rust_files};

const MAX_FILE_LINES: usize = 400;
const MAX_FUNCTION_LINES: usize = 60;

fn begins_with_its_question(files: &[SourceFile]) -> Vec<Violation> {
    let is_sentence = |line: &str| {
        let sentence = line.strip_prefix("//! ").unwrap_or_default();
        sentence.split_whitespace().count() >= 3 && !sentence.to_lowercase().contains("placeholder")
    };
    let broken = |file: &&SourceFile| !is_sentence(file.text.lines().next().unwrap_or_default());
    files.iter().filter(broken).map(|file| file.violation_at(1, "does not begin with `//! <one sentence>`")).collect()
}

/// Lines count without tests: those in files of their own, and those in a module at the end.
fn files_are_short(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        let code = shipped_code(&file.text);
        let tests = file.text.find("#[cfg(test)]\nmod ").filter(|at| code[*at..].trim().is_empty());
        let lines = tests.map_or_else(|| file.text.lines().count(), |at| line_of(&file.text, at));
        if lines > MAX_FILE_LINES {
            found.push(file.violation(format!("has {lines} lines, more than {MAX_FILE_LINES}")));
        }
    }
    found
}

fn functions_are_short(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.is_test()) {
        for function in functions(&shipped_code(&file.text)) {
            if function.lines() > MAX_FUNCTION_LINES {
                let fault = format!("{} has {} lines, more than {MAX_FUNCTION_LINES}", function.name, function.lines());
                found.push(file.violation_at(function.first_line, fault));
            }
        }
    }
    found
}

#[test]
fn every_file_says_what_it_answers() {
    assert_none("the first line of a file says what question it answers", &begins_with_its_question(&rust_files()));
}

#[test]
fn files_hold_one_concept() {
    assert_none("one concept a file", &files_are_short(&rust_files()));
}

#[test]
fn functions_fit_a_screen() {
    assert_none("a function fits a screen", &functions_are_short(&rust_files()));
}

#[test]
fn a_file_without_a_first_sentence_is_caught() {
    let examples = [
        SourceFile::example("domain/src/a.rs", "//! Which feeds a page announces.\n"),
        SourceFile::example("domain/src/b.rs", "use std::fmt;\n//! Which feeds a page announces.\n"),
        SourceFile::example("domain/src/c.rs", "//! Placeholder.\n"),
        SourceFile::example("domain/src/d.rs", ""),
    ];
    assert_caught(
        &begins_with_its_question(&examples),
        &["domain/src/b.rs:1", "domain/src/c.rs:1", "domain/src/d.rs:1"],
    );
}

#[test]
fn a_long_file_is_caught() {
    let long = "fn f() {}\n".repeat(MAX_FILE_LINES + 1);
    let with_tests = format!("fn g() {{}}\n#[cfg(test)]\nmod tests {{\n{long}}}\n");
    let examples = [
        SourceFile::example("domain/src/long.rs", &long),
        SourceFile::example("domain/src/long/tests.rs", &long),
        SourceFile::example("domain/src/tested.rs", &with_tests),
    ];
    assert_caught(&files_are_short(&examples), &["domain/src/long.rs"]);
}

#[test]
fn a_long_function_is_caught() {
    let body = "    step();\n".repeat(MAX_FUNCTION_LINES);
    let examples = [
        SourceFile::example("domain/src/a.rs", &format!("\nfn long() {{\n{body}}}\n")),
        SourceFile::example("domain/src/b.rs", "fn short() {\n    step();\n}\n"),
        SourceFile::example("domain/src/c.rs", &format!("#[cfg(test)]\nmod tests {{\nfn long() {{\n{body}}}\n}}\n")),
    ];
    assert_caught(&functions_are_short(&examples), &["domain/src/a.rs:2"]);
}
