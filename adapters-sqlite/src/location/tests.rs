//! Which store URLs are understood, and which are refused.

use super::*;

#[track_caller]
fn check(url: &str, expected: &str) {
    assert_eq!(Location::parse(url).unwrap(), Location::File(PathBuf::from(expected)), "{url}");
}

#[test]
fn every_form_of_a_path_is_understood() {
    check("sqlite:///var/lib/headwater.db", "/var/lib/headwater.db");
    check("sqlite:///with%20space/a.db", "/with space/a.db");
    check("sqlite://relative.db", "relative.db");
    check("sqlite:relative.db", "relative.db");
    check("sqlite:/absolute.db", "/absolute.db");
    check("/bare path?.db", "/bare path?.db");
    check("bare.db", "bare.db");
}

#[test]
fn memory_is_a_place() {
    assert_eq!(Location::parse("sqlite::memory:").unwrap(), Location::Memory);
}

#[test]
fn what_names_no_file_is_refused() {
    for url in ["", "sqlite:", "sqlite://", "sqlite:///a.db?mode=ro"] {
        let error = Location::parse(url).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Store, "{url}");
        assert!(error.hint.is_some(), "{url}");
    }
}

#[test]
fn another_scheme_is_named_without_its_password() {
    let error = Location::parse("postgres://user:hunter2@host/db").unwrap_err();
    assert!(error.detail.contains("`postgres`"), "{}", error.detail);
    assert!(!format!("{error:?}").contains("hunter2"));
}
