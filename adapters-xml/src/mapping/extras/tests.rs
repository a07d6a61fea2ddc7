//! What `mapping::extras` is held to.

use super::seconds;

#[track_caller]
fn check(text: &str, expected: Option<u32>) {
    assert_eq!(seconds(text), expected, "{text:?}");
}

#[test]
fn lengths_of_time() {
    check("1:02:03", Some(3723));
    check("62:03", Some(3723));
    check("3723", Some(3723));
    check("3723.5", Some(3723));
    check(" 1 : 02 : 03 ", Some(3723));
    for nonsense in ["", "0", "1:2:3:4", "an hour", "-5", "1::2", "99999999999", "4294967295:59"] {
        check(nonsense, None);
    }
}
