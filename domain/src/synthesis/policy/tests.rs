//! What `synthesis::policy` is held to.

use super::*;

#[test]
fn an_empty_section_gives_the_defaults_and_an_unknown_key_is_refused() {
    let empty: RunPolicy = serde_json::from_str("{}").unwrap();
    assert_eq!(empty, RunPolicy::default());
    let error = serde_json::from_str::<RunPolicy>(r#"{"max_link": 3}"#).unwrap_err();
    assert!(error.to_string().contains("max_link"), "{error}");
}

#[test]
fn one_key_leaves_the_others_alone() {
    let policy: RunPolicy = serde_json::from_str(r#"{"max_links": 3}"#).unwrap();
    assert_eq!(policy, RunPolicy { max_links: 3, ..RunPolicy::default() });
}

#[test]
fn a_source_is_capped_by_default_only_where_there_are_topics() {
    let policy = RunPolicy::default();
    assert_eq!(policy.source_cap(0), None);
    assert_eq!(policy.source_cap(2), Some(10));
    let policy = RunPolicy { max_articles_per_source: Some(4), ..policy };
    assert_eq!(policy.source_cap(0), Some(4));
    assert_eq!(policy.source_cap(2), Some(4));
}
