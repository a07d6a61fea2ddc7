//! What `config::problems` is held to.

use super::*;

#[track_caller]
fn check(text: &str, expected: &[&str]) {
    let problems: Vec<String> = problems(text).iter().map(ToString::to_string).collect();
    assert_eq!(problems, expected);
}

#[test]
fn a_sound_file_has_no_problems() {
    check("", &[]);
    check("run.max_links = 5\n[fetch]\ninterval_s = 60\nallow = [\n  'a.example',\n]\n[log]\nlevel = 'info'\n", &[]);
}

#[test]
fn every_mistake_is_named_with_its_line() {
    let text =
        "[fetch]\nintervall_s = 60\nmax_pages = 'many'\n\n[runs]\nmax_links = 3\n[log]\nformat = 'xml'\ncolour = 1\n";
    let problems = problems(text);
    let named: Vec<_> = problems.iter().map(|problem| (problem.line, problem.key.as_deref().unwrap())).collect();
    assert_eq!(
        named,
        [(2, "fetch.intervall_s"), (3, "fetch.max_pages"), (5, "runs"), (8, "log.format"), (9, "log.colour")]
    );
    assert_eq!(problems[0].message, "there is no such key; did you mean `interval_s`?");
    assert!(problems[1].message.contains("invalid type"), "{problems:?}");
    assert_eq!(problems[2].message, "there is no such key; did you mean `run`?");
    assert_eq!(problems[4].message, "there is no such key");
}

#[test]
fn a_file_that_is_no_toml_names_the_line() {
    assert_eq!((problems("[fetch]\ninterval_s 60\n")[0].line, problems("a = \"").len()), (2, 1));
}

#[test]
fn a_secret_of_the_wrong_kind_is_not_shown() {
    let problems = problems("[vault]\nkeys = 4711471147114711\n");
    assert_eq!(problems.len(), 1);
    assert!(!problems[0].to_string().contains("4711"), "{problems:?}");
}

#[test]
fn the_line_of_a_setting_is_found() {
    let text = "[log]\nlevel = 'info'\n\n[vault]\n# here\nkeys = 'k'\n";
    assert_eq!(line_of(text, "vault", "keys"), Some(6));
    assert_eq!(line_of(text, "vault", "keys_file"), None);
}
