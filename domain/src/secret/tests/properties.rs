//! What `secret` is held to whatever comes in.

use proptest::prelude::*;
use url::Url;

use crate::secret::{
    extract_masked_params, extract_secret_params, mask_url, redact_content, redact_text, redact_url, unredact_url,
};

/// Pieces of URLs, texts and encodings, in any order.
fn any_text() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "https://",
        "http:\\/\\/",
        "https%3A%2F%2F",
        "h.example",
        "/",
        "\\/",
        "%2F",
        "?",
        "&",
        "&amp;",
        "%26",
        "%2526",
        "\\u0026",
        ";",
        "#",
        "=",
        "%3D",
        "%253D",
        "\\u003d",
        ":",
        "passkey",
        "token",
        "p%61sskey",
        "key",
        "pid",
        "sid",
        "x",
        "user",
        "abc",
        "1234",
        "0123456789abcdef0123456789abcdef",
        "A1b2C3d4E5f6G7h8",
        "@",
        "%40",
        "alice:pw@",
        "\"",
        "\\\"",
        "&quot;",
        "'",
        " ",
        "\n",
        "\t",
        ",",
        ".",
        ")",
        "]",
        "[REDACTED]",
        "%5BREDACTED%5D",
        "Cookie: ",
        "Authorization: Bearer ",
        "Basic ",
        "rss",
        "download",
        "announce",
        "torrent",
        "auto.343.",
        ".torrent",
        "-",
        "_",
        "%",
        "\\",
        "é",
        "null",
        "commit",
        "&#61;",
        "{",
        "}",
        "<",
        ">",
    ]);
    prop::collection::vec(prop_oneof![9 => pieces.prop_map(str::to_owned), 1 => "\\PC{0,6}"], 0..24)
        .prop_map(|pieces| pieces.concat())
}

/// Paths and queries with secrets in them, also of URLs inside of them.
fn any_query() -> impl Strategy<Value = String> {
    let pieces = prop::sample::select(vec![
        "/",
        "%2F",
        "?",
        "&",
        "&amp;",
        "%26",
        "%2526",
        ";",
        "#",
        "=",
        "%3D",
        "%253D",
        "passkey",
        "token",
        "p%61sskey",
        "key",
        "pid",
        "sid",
        "x",
        "abc",
        "1234",
        "0123456789abcdef0123456789abcdef",
        "A1b2C3d4E5f6G7h8",
        "rss/download/12/",
        "/announce",
        "torrent",
        "auto.343.",
        ".torrent",
        "-",
        "_",
        "+",
        "%20",
        "é",
        "https%3A%2F%2Fi.example%2F%3F",
    ]);
    prop::collection::vec(pieces, 0..24).prop_map(|pieces| pieces.concat())
}

/// A secret that stands nowhere else by chance, with characters that encodings change.
fn any_secret() -> impl Strategy<Value = String> {
    "[A-Z][a-z0-9]{3}Q[0-9][+/~!*]?[A-Za-z0-9]{6,20}"
}

fn percent(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// A text as it looks in one encoding.
fn encoded(text: &str, form: usize) -> String {
    match form {
        0 => text.to_owned(),
        1 => percent(text),
        2 => percent(&percent(text)),
        3 => text.replace('&', "&amp;"),
        4 => text.replace('/', "\\/"),
        5 => text.replace('&', "\\u0026").replace('=', "\\u003d"),
        6 => percent(text).replace('%', "%25").to_lowercase(),
        _ => format!("\"{}\"", text.replace('&', "&amp;").replace('/', "\\/")),
    }
}

const NAMES: &[&str] = &[
    "passkey",
    "token",
    "authkey",
    "sign",
    "apikey",
    "rsskey",
    "torrent_pass",
    "auth",
    "signature",
    "sig",
    "api_key",
    "access_token",
    "downhash",
    "secret",
    "circle-token",
    "PassKey",
    "client_secret",
    "X-Amz-Signature",
    "password",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_second_time_changes_nothing(text in any_text()) {
        for redact in [redact_url, mask_url, redact_text, redact_content] {
            let once = redact(&text).into_owned();
            prop_assert_eq!(redact(&once), once.as_str(), "of {:?}", text);
        }
    }

    #[test]
    fn no_encoding_hides_a_parameter(
        secret in any_secret(),
        name in prop::sample::select(NAMES),
        form in 0_usize..8,
        first: bool,
        around in prop::sample::select(vec![("", ""), ("fetching ", " failed"), ("<a href=\"", "\">"), ("{\"url\":\"", "\",\"n\":1}"), ("(", "), then")]),
    ) {
        let value = percent(&secret);
        let query = if first { format!("{name}={value}&user=1") } else { format!("user=1&{name}={value}&x=2") };
        let text = format!("{}{}{}", around.0, encoded(&format!("https://h.example/rss?{query}"), form), around.1);
        let out = redact_text(&text).into_owned();
        for hidden in [secret.clone(), value.clone(), percent(&value)] {
            prop_assert!(!out.contains(&hidden), "{} in {}", hidden, out);
            prop_assert!(!out.to_lowercase().contains(&hidden.to_lowercase()), "{} in {}", hidden, out);
        }
        prop_assert!(out.contains("user") && out.starts_with(around.0) && out.ends_with(around.1), "{}", out);
    }

    #[test]
    fn no_encoding_hides_user_information_or_headers(secret in any_secret(), form in 0_usize..8) {
        let user = format!("https://alice:{}@h.example/feed", percent(&secret));
        let out = redact_text(&format!("in {} or", encoded(&user, form))).into_owned();
        prop_assert!(!out.contains(&secret) && !out.contains(&percent(&secret)) && out.contains("h"), "{}", out);
        for header in ["Cookie: a=b; c=", "authorization: Basic ", "X-Auth-Token: ", "Set-Cookie: id="] {
            let out = redact_text(&format!("GET /\r\n{header}{secret}\r\nHost: h\r\n")).into_owned();
            prop_assert!(!out.contains(&secret) && out.ends_with("Host: h\r\n"), "{}", out);
        }
    }

    #[test]
    fn no_key_in_a_path_is_shown(key in "[0-9a-f]{31}[0-9]", form in 0_usize..6) {
        for path in [format!("/rss/{key}/feed.xml"), format!("/rss/download/12/{key}/n.torrent"), format!("/{key}/announce"), format!("/feed?{key}")] {
            let out = redact_text(&encoded(&format!("https://h.example{path}"), form)).into_owned();
            prop_assert!(!out.contains(&key), "{}", out);
        }
    }

    #[test]
    fn what_is_taken_out_can_be_put_back(text in any_query()) {
        let url = Url::parse(&format!("https://h.example/{text}")).unwrap();
        let back = unredact_url(&redact_url(url.as_str()), &extract_secret_params(&url)).unwrap();
        prop_assert_eq!(back.expose(), &url);
        let back = unredact_url(&mask_url(url.as_str()), &extract_masked_params(&url)).unwrap();
        prop_assert_eq!(back.expose(), &url);
    }

    #[test]
    fn user_information_comes_back(user in "[a-z]{1,8}", password in "\\PC{0,12}", secret in any_secret()) {
        let mut url = Url::parse(&format!("https://h.example/?passkey={}", percent(&secret))).unwrap();
        url.set_username(&user).unwrap();
        url.set_password(Some(&password)).unwrap();
        let stored = redact_url(url.as_str()).into_owned();
        prop_assert_eq!(&stored, "https://h.example/?passkey=[REDACTED]");
        let back = unredact_url(&stored, &extract_secret_params(&url)).unwrap();
        prop_assert_eq!(back.expose(), &url);
    }

    #[test]
    fn rotation_leaves_the_redacted_form_as_it_is(one in any_secret(), other in any_secret(), name in prop::sample::select(NAMES)) {
        let with = |secret: &str| format!("https://h.example/dl?id=7&{name}={}&n=1", percent(secret));
        prop_assert_eq!(redact_url(&with(&one)).into_owned(), redact_url(&with(&other)).into_owned());
    }
}
