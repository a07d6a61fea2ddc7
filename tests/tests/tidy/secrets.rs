//! Do secrets live only in types that do not show themselves?

use super::rust_text::{line_of, shipped_code, word_positions};
use super::source_tree::{SourceFile, Violation, assert_caught, assert_none, file, rust_files};

/// Fields whose name says that the value is a secret.
const SECRET_NAMES: [&str; 12] = [
    "password",
    "passphrase",
    "passkey",
    "secret",
    "api_key",
    "api_token",
    "access_token",
    "refresh_token",
    "app_secret",
    "authorization",
    "credentials",
    "private_key",
];

/// Types that print what they hold.
const TELLING: [&str; 5] = ["String", "str", "Vec<u8>", "Url", "Bytes"];

/// A field or parameter of a telling type under a secret name.
fn secrets_have_a_type(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files.iter().filter(|file| !file.is_test() && !file.path.starts_with("tests/")) {
        let code = shipped_code(&file.text);
        for name in SECRET_NAMES {
            for at in word_positions(&code, name) {
                let Some(kind) = code[at + name.len()..].strip_prefix(": ") else { continue };
                let kind = kind.split(['\n', ',', ')']).next().unwrap_or_default();
                let bare = kind.trim_start_matches("Option<").trim_start_matches('&').trim_end_matches('>');
                if TELLING.iter().any(|telling| bare == telling.trim_end_matches('>')) {
                    found.push(file.violation_at(line_of(&code, at), format!("`{name}: {kind}`: use Secret")));
                }
            }
        }
    }
    found
}

/// The types that hide a value must not be given a derive that shows it.
fn hiding_types_stay_silent(files: &[SourceFile]) -> Vec<Violation> {
    let mut found = Vec::new();
    for file in files {
        let code = shipped_code(&file.text);
        for hiding in ["struct Secret", "struct PrivateUrl"] {
            for at in word_positions(&code, hiding) {
                let derives = code[..at].rsplit_once("derive").map(|(_, after)| after).unwrap_or_default();
                let shows = ["Debug", "Display", "Serialize"].into_iter().find(|shows| derives.contains(shows));
                if let Some(shows) = shows {
                    found.push(file.violation_at(line_of(&code, at), format!("{hiding} derives {shows}")));
                }
            }
        }
    }
    found
}

#[test]
fn a_secret_has_a_type_that_hides_it() {
    assert_none("a secret is a Secret or a PrivateUrl", &secrets_have_a_type(&rust_files()));
}

#[test]
fn hiding_types_derive_nothing_that_shows() {
    let files = [file("domain/src/secret/sealed_value.rs"), file("domain/src/secret/private_url.rs")];
    assert_none("Debug and the like are written by hand there", &hiding_types_stay_silent(&files));
    assert!(files.iter().all(|file| file.text.contains("impl fmt::Debug") || file.text.contains("Debug for")));
}

#[test]
fn a_secret_in_a_string_is_caught() {
    let text = "struct Account {\n    name: String,\n    api_key: String,\n    access_token: Option<String>,\n    \
                secret: Secret<String>,\n    token: String,\n}\nfn open(password: &str) {}\n";
    let places = ["connectors/src/a.rs:8", "connectors/src/a.rs:3", "connectors/src/a.rs:4"];
    assert_caught(&secrets_have_a_type(&[SourceFile::example("connectors/src/a.rs", text)]), &places);
}

#[test]
fn a_hiding_type_that_shows_is_caught() {
    let examples = [
        SourceFile::example("domain/src/a.rs", "#[derive(Clone, Debug)]\npub struct Secret<T>(T);\n"),
        SourceFile::example("domain/src/b.rs", "#[derive(Clone, PartialEq)]\npub struct PrivateUrl(Url);\n"),
    ];
    assert_caught(&hiding_types_stay_silent(&examples), &["domain/src/a.rs:2"]);
}
