//! What `secret` is held to.

mod properties;

use super::{
    PrivateUrl, Secret, SecretParams, UnredactError, extract_secret_params, mask_url, redact_text, redact_url,
    unredact_url,
};

#[track_caller]
fn check(function: fn(&str) -> std::borrow::Cow<'_, str>, input: &str, expected: &str) {
    assert_eq!(function(input), expected, "of {input:?}");
    assert_eq!(function(expected), expected, "a second time");
}

const HEX: &str = "0123456789abcdef0123456789abcdef";

#[test]
fn secret_parameters_lose_their_values() {
    for (input, expected) in [
        ("https://t.example/rss?user=7&passkey=x1&cat=2", "https://t.example/rss?user=7&passkey=[REDACTED]&cat=2"),
        (
            "https://t.example/rss?auth=a&authkey=d&torrent_pass=g",
            "https://t.example/rss?auth=[REDACTED]&authkey=[REDACTED]&torrent_pass=[REDACTED]",
        ),
        ("https://t.example/?PassKey=x&TOKEN=y", "https://t.example/?PassKey=[REDACTED]&TOKEN=[REDACTED]"),
        ("https://t.example/?circle-token=zzz", "https://t.example/?circle-token=[REDACTED]"),
        ("https://t.example/cb#access_token=abc&state=1", "https://t.example/cb#access_token=[REDACTED]&state=1"),
        ("https://t.example/?a=1;passkey=x;b=2", "https://t.example/?a=1;passkey=[REDACTED];b=2"),
        ("https://t.example/?passkey=x;y", "https://t.example/?passkey=[REDACTED]"),
        ("https://t.example/?a=1&amp;passkey=x&amp;b=2", "https://t.example/?a=1&amp;passkey=[REDACTED]&amp;b=2"),
        ("https://t.example/?p%61sskey=x&b=2", "https://t.example/?p%61sskey=[REDACTED]&b=2"),
        ("https://t.example/?passkey=x%26y%20z&b=2", "https://t.example/?passkey=[REDACTED]&b=2"),
        ("https://t.example/?passkey=%5BREDACTED%5D", "https://t.example/?passkey=%5BREDACTED%5D"),
        (
            "https://t.example/?go=https%3A%2F%2Fu%3Ap%40h.example%2F%3Fsign%3Dabc%26x%3D1&b=2",
            "https://t.example/?go=https%3A%2F%2Fh.example%2F%3Fsign%3D[REDACTED]%26x%3D1&b=2",
        ),
        (
            "https://t.example/?data=%7B%22token%22%3A%22abc%22%7D",
            "https://t.example/?data=%7B%22token%22%3A%22[REDACTED]%22%7D",
        ),
        (
            "https://s3.example/k?X-Amz-Signature=ab&X-Amz-Date=1",
            "https://s3.example/k?X-Amz-Signature=[REDACTED]&X-Amz-Date=1",
        ),
        ("https://t.example/?key=short&sid=0123456789abcdef", "https://t.example/?key=short&sid=[REDACTED]"),
    ] {
        check(redact_url, input, expected);
        check(mask_url, input, expected);
    }
}

#[test]
fn harmless_urls_stay_and_cost_nothing() {
    for url in [
        "https://example.org/feed?x=1",
        "https://example.org/post?author=me&design=2&uid=4&t=5&tid=6&tokens=7",
        "https://example.org/2024/05/some-title-of-2024-elections",
        "https://github.com/o/r/commit/0123456789abcdef0123456789abcdef01234567",
        "magnet:?xt=urn:btih:0123456789abcdef0123456789abcdef01234567&dn=name",
        "https://example.org/@user/post//@other",
        "https://example.org/download/file.zip",
        "https://example.org/?pageToken=abc",
        "https://example.org/?q=averyverylongsearchtermwithoutblanks2024",
        "https://example.org/rss/all-articles-of-2024.xml",
    ] {
        assert!(matches!(redact_url(url), std::borrow::Cow::Borrowed(_)), "{url}");
        assert_eq!(mask_url(url), url);
    }
}

#[test]
fn user_information_goes_without_a_trace() {
    check(redact_url, "https://alice:pw@example.org/feed?x=1", "https://example.org/feed?x=1");
    check(redact_url, "https://token@example.org/", "https://example.org/");
    check(redact_url, "https://a:p@w@example.org/", "https://example.org/");
    check(redact_url, "https://a:p/w@example.org/", "https://example.org/");
    check(redact_text, "in 'https://a:pw@example.org/' or //b:pw@h/", "in 'https://example.org/' or //h/");
    check(redact_text, r"https:\/\/a:pw@h\/x", r"https:\/\/h\/x");
}

#[test]
fn keys_of_paths_are_found_where_they_are_known_to_stand() {
    for (input, expected) in [
        (
            format!("https://t.example/rss/download/12345/{HEX}/name.torrent"),
            "https://t.example/rss/download/12345/[REDACTED]/name.torrent",
        ),
        ("https://t.example/torrent/9/download/KEY".to_owned(), "https://t.example/torrent/9/download/[REDACTED]"),
        (
            r"https:\/\/h\/rss\/download\/PID12345\/K1234567.torrent".to_owned(),
            r"https:\/\/h\/rss\/download\/[REDACTED]\/[REDACTED].torrent",
        ),
        ("https://t.example/download/auto.343.k1k2k3k4".to_owned(), "https://t.example/download/auto.343.[REDACTED]"),
        (
            "magnet:?tr=https%3a%2f%2ft%2fk1k2k3k4%2fannounce".to_owned(),
            "magnet:?tr=https%3a%2f%2ft%2f[REDACTED]%2fannounce",
        ),
        ("https://t.example/feed/passkey/k1k2k3k4/all".to_owned(), "https://t.example/feed/passkey/[REDACTED]/all"),
        ("https://t.example/k1k2k3k4/announce".to_owned(), "https://t.example/[REDACTED]/announce"),
        ("https://tracker1/announce".to_owned(), "https://tracker1/announce"),
    ] {
        check(redact_url, &input, expected);
        check(mask_url, &input, expected);
        check(redact_text, &input, expected);
    }
}

#[test]
fn what_looks_like_a_key_is_masked_but_stored() {
    let url = format!("https://t.example/rss/{HEX}/feed.xml");
    assert_eq!(redact_url(&url), url);
    check(mask_url, &url, "https://t.example/rss/[REDACTED]/feed.xml");
    check(
        mask_url,
        &format!("https://t.example/rss?feed=torrents_notify_{HEX}&user=1"),
        "https://t.example/rss?feed=torrents_notify_[REDACTED]&user=1",
    );
    check(mask_url, "https://t.example/550e8400-e29b-41d4-a716-446655440000", "https://t.example/[REDACTED]");
    check(mask_url, "https://t.example/rss/a1b2c3d4e5f6a7b8", "https://t.example/rss/[REDACTED]");
    check(
        mask_url,
        "https://c.example/ical/private-a1b2c3d4e5f6a7b8/basic.ics",
        "https://c.example/ical/private-[REDACTED]/basic.ics",
    );
    check(mask_url, "https://h.example/?key=a1b2c3d4e5f6a7b8.c9", "https://h.example/?key=[REDACTED]");
    check(mask_url, "https://t.example/aB3-xY9_zQ1mN7kLp2WvRt5sUj8", "https://t.example/[REDACTED]");
}

#[test]
fn running_text_loses_secrets_in_every_form() {
    for (input, expected) in [
        ("fetching https://h/?passkey=abc failed", "fetching https://h/?passkey=[REDACTED] failed"),
        ("(https://h/?passkey=abc), next", "(https://h/?passkey=[REDACTED]), next"),
        ("passkey=abc", "passkey=[REDACTED]"),
        ("a&amp;passkey=abc&amp;b=1", "a&amp;passkey=[REDACTED]&amp;b=1"),
        ("a%26passkey%3Dabc%26b%3D1", "a%26passkey%3D[REDACTED]%26b%3D1"),
        ("a%2526passkey%253Dabc%2526b", "a%2526passkey%253D[REDACTED]%2526b"),
        (
            r#"{"url":"https:\/\/h\/?x=1\u0026passkey\u003dabc\u0026y=2"}"#,
            r#"{"url":"https:\/\/h\/?x=1\u0026passkey\u003d[REDACTED]\u0026y=2"}"#,
        ),
        (r#"{"passkey":"a\"b","x":1}"#, r#"{"passkey":"[REDACTED]","x":1}"#),
        (r#"{\"token\": \"abc\", \"x\": 1}"#, r#"{\"token\": \"[REDACTED]\", \"x\": 1}"#),
        ("Authorization: Bearer abc def", "Authorization: [REDACTED]"),
        ("Cookie: a=b; c=d\nHost: h", "Cookie: [REDACTED]\nHost: h"),
        ("curl -H 'Cookie: a=b; c=d' https://h/", "curl -H 'Cookie: [REDACTED]' https://h/"),
        (r#"{"cookie": "a=b; c=d", "host": "h"}"#, r#"{"cookie": "[REDACTED]", "host": "h"}"#),
        ("sent Bearer eyJhbGciOi.eyJz.sig1 to h", "sent Bearer [REDACTED] to h"),
        ("x-auth-token: abc", "x-auth-token: [REDACTED]"),
        (
            "feed=torrents_notify_0123456789abcdef0123456789abcdef&amp;user=1",
            "feed=torrents_notify_[REDACTED]&amp;user=1",
        ),
        ("pid=4242 started", "pid=4242 started"),
        ("unexpected token: foo", "unexpected token: foo"),
        ("Basic understanding of things", "Basic understanding of things"),
        ("passkey = abc, then", "passkey = [REDACTED], then"),
    ] {
        check(redact_text, input, expected);
    }
}

#[test]
fn secrets_are_put_back_by_name_for_one_request() {
    let known = SecretParams::default().with("passkey", Secret::new("a b&c".to_owned()));
    let whole = |stored: &str| unredact_url(stored, &known).map(|url| url.expose().to_string());
    assert_eq!(whole("https://h/?passkey=[REDACTED]&x=1").unwrap(), "https://h/?passkey=a%20b%26c&x=1");
    assert_eq!(whole("https://h/?passkey=%5BREDACTED%5D").unwrap(), "https://h/?passkey=a%20b%26c");
    assert_eq!(
        whole("https://h/?go=https%3A%2F%2Fi%2F%3Fpasskey%3D[REDACTED]").unwrap(),
        "https://h/?go=https%3A%2F%2Fi%2F%3Fpasskey%3Da%2520b%2526c"
    );
    assert_eq!(whole("https://h/?token=[REDACTED]"), Err(UnredactError::MissingSecret { name: "token".to_owned() }));
    assert_eq!(whole("https://h/[REDACTED]/x"), Err(UnredactError::MissingSecret { name: "path".to_owned() }));
    assert_eq!(whole("no URL"), Err(UnredactError::InvalidUrl));
}

#[test]
fn nothing_that_holds_secrets_shows_them() {
    let url = "https://alice:pw123@h.example/?passkey=k1&token=k2".parse().unwrap();
    let secrets = extract_secret_params(&url);
    assert_eq!(format!("{secrets:?}"), r#"SecretParams { names: ["passkey", "token"], .. }"#);
    let private = PrivateUrl::new(url);
    let shown = format!("{private} {private:?} {}", serde_json::to_string(&private).unwrap());
    assert!(!shown.contains("k1") && !shown.contains("k2") && !shown.contains("pw123"), "{shown}");
}

#[test]
fn a_long_line_costs_linear_time() {
    // Each of these made some rule look ahead to the end again and again.
    for piece in [
        "key=",
        "token:",
        "://a:b/",
        "%25",
        "&amp;",
        "\\",
        "Basic ",
        "/announce",
        "a-",
        "://",
        "key=\"",
        "%3A%2F%2F",
        "[",
        "auto.",
    ] {
        let text = piece.repeat(50_000 / piece.len());
        assert!(redact_text(&text).len() <= text.len() + 20);
        assert!(mask_url(&text).len() <= text.len() + 20);
    }
}
