//! Tests of the words of names.

use super::*;

#[test]
fn splits_names_into_words() {
    let mut names = Names::default();
    names.read("postMeta-top  SHARE_bar2");
    assert_eq!(names.0, ["post", "meta", "top", "share", "bar2"]);
    assert!(names.any(&["share"]) && !names.any(&["bar"]));
    assert!(names.pair(&[("post", "meta")]) && !names.pair(&[("meta", "post")]));
}

#[test]
fn passes_over_names_that_programs_made() {
    let mut names = Names::default();
    names.read("jpYiwZ fSDCJY readMore");
    assert_eq!(names.0, ["read", "more"]);
}
