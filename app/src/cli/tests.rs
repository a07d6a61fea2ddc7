//! What the command line as a whole is held to.

use super::*;

#[test]
fn what_is_wrong_with_the_command_line_is_told_without_secrets() {
    let key = "deadbeefdeadbeefdeadbeefdeadbeef";
    let url = format!("http://user:passw0rd@[bad/?passkey={key}");
    for line in [
        vec!["headwater", "feed", "discover", "--page", "x", "--page-url", &url],
        vec!["headwater", "feed", "parse", "x", "--base-url", &url],
        vec!["headwater", "article", "extract", "x", "--url", &url],
        vec!["headwater", "feed", "fetch", "http://a.example/", &url],
        vec!["headwater", "feed", &url],
    ] {
        let error = help::command().try_get_matches_from(&line).expect_err("a URL that is none");
        let told = without_secrets(error).render().to_string();
        assert!(told.contains("passkey=[REDACTED]"), "{told}");
        assert!(!told.contains(key) && !told.contains("passw0rd"), "{told}");
    }
}
