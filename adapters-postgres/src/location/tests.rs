//! Which store URLs are understood, and what is shown of them.

use super::*;

#[test]
fn a_location_is_shown_without_user_and_password() {
    let location = Location::parse("postgres://reader:hunter2@db.example:6543/headwater?sslmode=require").unwrap();
    assert_eq!(location.name(), "the store db.example:6543/headwater");
    assert!(!format!("{location:?}").contains("hunter2"));
}

#[test]
fn a_socket_is_shown_as_its_folder() {
    let location = Location::parse("postgresql://reader@localhost/headwater?host=/run/postgresql").unwrap();
    assert_eq!(location.shown(), "/run/postgresql/headwater");
}

#[test]
fn what_cannot_be_understood_is_not_repeated() {
    for url in
        ["sqlite::memory:", "postgres://reader:hunter2@:x/", "reader:hunter2@host", "postgres://a:hunter2@h/d?port=x"]
    {
        let error = Location::parse(url).unwrap_err();
        assert_eq!(error.kind, ErrorKind::Store, "{url}");
        assert!(error.hint.is_some());
        assert!(!format!("{error:?}").contains("hunter2"), "{error:?}");
    }
}
