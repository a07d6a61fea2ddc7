//! Do the words that users and programs rely on still mean the same?

use headwater_domain::ErrorKind;

use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, file};

/// The error codes of the command-line contract. They are never renamed, only added to.
const ERROR_CODES: [&str; 37] = [
    "invalid_url",
    "blocked_address",
    "dns",
    "connect",
    "tls_incomplete_chain",
    "tls_name_mismatch",
    "tls",
    "timeout",
    "redirect_loop",
    "too_many_redirects",
    "http_status",
    "throttled",
    "gone",
    "blocked_by_challenge",
    "body_too_large",
    "unsupported_encoding",
    "empty_body",
    "not_a_feed",
    "expired",
    "auth",
    "dtd_forbidden",
    "malformed",
    "too_deep",
    "no_readable_content",
    "circuit_open",
    "not_due",
    "pagination_loop",
    "partial_fetch",
    "invalid_credentials",
    "credentials_unreadable",
    "connector_not_found",
    "invalid_config",
    "invalid_schedule",
    "already_running",
    "interrupted",
    "store",
    "internal",
];

/// The words that the source of `ErrorKind` maps its kinds to.
fn codes_of(source: &SourceFile) -> Vec<String> {
    let mapped = source.text.lines().filter_map(|line| line.trim().strip_prefix("Self::")?.split_once(" => \""));
    mapped.filter_map(|(_, rest)| rest.strip_suffix("\",")).map(str::to_owned).collect()
}

fn codes_are_the_promised_ones(source: &SourceFile) -> Vec<Violation> {
    let codes = codes_of(source);
    let lost = ERROR_CODES.iter().filter(|code| !codes.iter().any(|known| known == *code));
    let added = codes.iter().filter(|code| !ERROR_CODES.contains(&code.as_str()));
    let lost = lost.map(|code| source.violation(format!("the promised code `{code}` is gone")));
    lost.chain(added.map(|code| source.violation(format!("`{code}` is not promised: add it to the contract"))))
        .collect()
}

#[test]
fn error_codes_are_the_promised_ones() {
    let source = file("domain/src/error_kind.rs");
    assert_none("error codes are a promise", &codes_are_the_promised_ones(&source));
}

#[test]
fn error_kinds_read_and_write_their_code() {
    for code in ERROR_CODES {
        let kind: ErrorKind = serde_json::from_value(code.into()).expect("every promised code is a kind");
        assert_eq!(kind.code(), code);
        assert_eq!(serde_json::to_value(kind).expect("a kind is a word"), code);
    }
}

#[test]
fn a_renamed_code_is_caught() {
    let source = file("domain/src/error_kind.rs");
    let renamed = SourceFile::example("error_kind.rs", &source.text.replace("=> \"gone\",", "=> \"vanished\","));
    assert_caught(&codes_are_the_promised_ones(&renamed), &["error_kind.rs", "error_kind.rs"]);
}
