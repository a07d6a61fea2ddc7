//! What a reply is that is no feed, and with which words it is refused.

use headwater_domain::ErrorKind;
use headwater_domain::feed::reply::{self, Reply};

use crate::error::Refused;

/// Refuses bytes that are no text at all: a compressed body, an image, an archive.
pub(crate) fn check_bytes(bytes: &[u8]) -> Result<(), Refused> {
    if bytes.iter().all(|byte| byte.is_ascii_whitespace() || *byte == 0) {
        return Err(empty());
    }
    match SIGNATURES.iter().find(|(signature, _, _)| bytes.starts_with(signature)) {
        Some((_, kind, what)) => Err(Refused::Reply { kind: *kind, detail: format!("the body is {what}"), hint: None }),
        None => Ok(()),
    }
}

/// The refusal of a text in which no feed was found.
pub(crate) fn of_text(text: &str) -> Refused {
    let Reply { kind, detail, hint } = reply::classify(text);
    Refused::Reply { kind, detail, hint }
}

/// Refuses RSS 1.1, which nobody took up: its root is a channel in a namespace of its own.
pub(crate) fn check_root(root: &str) -> Result<(), Refused> {
    let tag = root.split('>').next().unwrap_or(root);
    if !tag.contains("purl.org/net/rss1.1") {
        return Ok(());
    }
    let detail = "the document is RSS 1.1, which is not read".to_owned();
    Err(Refused::Reply { kind: ErrorKind::NotAFeed, detail, hint: None })
}

/// Whether a document that begins with that element is a page.
pub(crate) fn is_page(first: &str) -> bool {
    ["html", "head", "body"].iter().any(|page| first.eq_ignore_ascii_case(page))
}

fn empty() -> Refused {
    Refused::Reply { kind: ErrorKind::EmptyBody, detail: "the body is empty".to_owned(), hint: None }
}

/// How binary formats begin.
const SIGNATURES: [(&[u8], ErrorKind, &str); 10] = [
    (b"\x1F\x8B", ErrorKind::UnsupportedEncoding, "compressed with gzip"),
    (b"\x28\xB5\x2F\xFD", ErrorKind::UnsupportedEncoding, "compressed with zstd"),
    (b"BZh", ErrorKind::UnsupportedEncoding, "compressed with bzip2"),
    (b"\xFD7zXZ", ErrorKind::UnsupportedEncoding, "compressed with xz"),
    (b"PK\x03\x04", ErrorKind::NotAFeed, "a ZIP archive"),
    (b"\x89PNG", ErrorKind::NotAFeed, "a PNG image"),
    (b"GIF8", ErrorKind::NotAFeed, "a GIF image"),
    (b"\xFF\xD8\xFF", ErrorKind::NotAFeed, "a JPEG image"),
    (b"%PDF", ErrorKind::NotAFeed, "a PDF document"),
    (b"d8:announce", ErrorKind::NotAFeed, "a torrent file"),
];
