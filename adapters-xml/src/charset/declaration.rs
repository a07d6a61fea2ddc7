//! Which encoding a document names in its XML declaration.

use memchr::memmem;

/// The `encoding` of the XML declaration, which may stand behind blanks.
pub(super) fn encoding(bytes: &[u8]) -> Option<&str> {
    let head = &bytes[..bytes.len().min(HEAD_BYTES)];
    let start = memmem::find(head, b"<?xml")?;
    if head[..start].contains(&b'<') {
        return None;
    }
    let inside = &head[start + 5..];
    let end = memchr::memchr(b'>', inside).unwrap_or(inside.len());
    let inside = &inside[..end];
    let mut rest = &inside[memmem::find(inside, b"encoding")? + 8..];
    rest = rest.trim_ascii_start().strip_prefix(b"=")?;
    rest = rest.trim_ascii_start();
    let label = match rest.first()? {
        quote @ (b'"' | b'\'') => {
            let value = &rest[1..];
            &value[..memchr::memchr(*quote, value).unwrap_or(value.len())]
        }
        _ => &rest[..rest.iter().position(|byte| byte.is_ascii_whitespace() || *byte == b'?').unwrap_or(rest.len())],
    };
    std::str::from_utf8(label).ok().map(str::trim).filter(|label| !label.is_empty())
}

/// The declaration stands within so many bytes, garbage before it included.
const HEAD_BYTES: usize = 1024;
