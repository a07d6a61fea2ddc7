//! Which names of parameters, fields and headers announce a secret.

/// How far a name says that its value is a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sensitivity {
    /// It says nothing of the kind.
    Harmless,
    /// The value is one if it looks like a key.
    WhenKeyLike,
    /// Always, though the word is also used for other things in running text.
    Word,
    /// Always and everywhere.
    Secret,
}

/// What the name of a parameter says of its value.
///
/// `name` is decoded; case and the separators `_`, `-`, `.` and brackets do not matter.
pub(super) fn sensitivity(name: &[u8]) -> Sensitivity {
    let mut buffer = [0_u8; LONGEST_NAME];
    let (glued, word) = glue(name, &mut buffer);
    if glued.is_empty() || HARMLESS.contains(&glued) {
        return Sensitivity::Harmless;
    }
    if SECRET_ENDINGS.iter().any(|ending| glued.ends_with(ending.as_bytes())) {
        return Sensitivity::Secret;
    }
    if SECRET_WORDS.contains(&word) || SECRET_NAMES.contains(&glued) {
        return Sensitivity::Word;
    }
    if KEY_WORDS.contains(&word) { Sensitivity::WhenKeyLike } else { Sensitivity::Harmless }
}

/// Whether a header of that name carries credentials, so that its whole value is a secret.
pub(super) fn is_secret_header(name: &[u8]) -> bool {
    let plain = SECRET_HEADERS.iter().any(|header| name.eq_ignore_ascii_case(header.as_bytes()));
    plain || (name.len() > 2 && name[..2].eq_ignore_ascii_case(b"x-") && sensitivity(name) > Sensitivity::Harmless)
}

/// Letters and digits of the name in lower case, and the last of its words.
fn glue<'b>(name: &[u8], buffer: &'b mut [u8; LONGEST_NAME]) -> (&'b [u8], &'b [u8]) {
    let (mut length, mut word_start, mut previous) = (0, 0, b'_');
    for &byte in &name[name.len().saturating_sub(LONGEST_NAME)..] {
        let starts_word =
            !previous.is_ascii_alphanumeric() || (previous.is_ascii_lowercase() && byte.is_ascii_uppercase());
        previous = byte;
        if !byte.is_ascii_alphanumeric() {
            continue;
        }
        if starts_word {
            word_start = length;
        }
        buffer[length] = byte.to_ascii_lowercase();
        length += 1;
    }
    (&buffer[..length], &buffer[word_start..length])
}

const LONGEST_NAME: usize = 64;

/// A name that ends so is secret, whatever stands before.
const SECRET_ENDINGS: &[&str] = &[
    "passkey",
    "authkey",
    "apikey",
    "rsskey",
    "feedkey",
    "secretkey",
    "privatekey",
    "accesskey",
    "torrentpass",
    "accesstoken",
    "authtoken",
    "feedtoken",
    "rsstoken",
    "refreshtoken",
    "downhash",
    "signature",
    "password",
    "passwd",
    "passphrase",
    "credential",
    "credentials",
    "sessionid",
    "sessid",
    "authorization",
    "appsecret",
    "clientsecret",
];

/// A name whose last word is one of these is secret.
const SECRET_WORDS: &[&[u8]] =
    &[b"token", b"secret", b"auth", b"sign", b"sig", b"pass", b"pwd", b"cookie", b"jwt", b"bearer"];

/// These are secret only as the whole name.
const SECRET_NAMES: &[&[u8]] = &[b"pid"];

/// A name whose last word is one of these is secret if the value looks like a key.
const KEY_WORDS: &[&[u8]] = &[b"key", b"sid", b"session"];

/// Cursors and public halves that sound like secrets.
const HARMLESS: &[&[u8]] =
    &[b"pagetoken", b"nextpagetoken", b"prevpagetoken", b"synctoken", b"continuationtoken", b"publickey"];

const SECRET_HEADERS: &[&str] = &[
    "authorization",
    "proxy-authorization",
    "cookie",
    "set-cookie",
    "cookie2",
    "set-cookie2",
    "api-key",
    "apikey",
    "private-token",
    "authentication",
];
