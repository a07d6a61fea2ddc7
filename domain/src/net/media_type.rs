//! What a `Content-Type` says: the kind of document, and the charset of its text.

/// The media type without its parameters, in lower case; empty where there is none.
///
/// # Examples
/// ```
/// assert_eq!(headwater_domain::net::essence_of("Text/HTML; charset=utf-8"), "text/html");
/// ```
pub fn essence_of(content_type: &str) -> String {
    content_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// The charset that a `Content-Type` names, as somebody wrote it; never empty.
///
/// Servers forget the semicolon before the parameter, the quote behind its value, or the media type; the label is found
/// all the same, as browsers do (HTML, "extracting a character encoding from a meta element"). Linear in the input.
pub fn charset_of(content_type: &str) -> Option<&str> {
    let mut rest = content_type;
    loop {
        rest = &rest[find_ignoring_case(rest, "charset")? + "charset".len()..];
        let label = rest.trim_start().strip_prefix('=').map(label).filter(|label| !label.is_empty());
        if label.is_some() {
            return label;
        }
    }
}

/// The value of a parameter, behind the `=`.
fn label(value: &str) -> &str {
    let value = value.trim_start();
    let quoted = value.strip_prefix(['"', '\'']);
    let end = |mark: char| match quoted {
        Some(_) => matches!(mark, '"' | '\'' | ';'),
        None => matches!(mark, '"' | '\'' | ';' | ',') || mark.is_whitespace(),
    };
    quoted.unwrap_or(value).split(end).next().unwrap_or_default().trim()
}

fn find_ignoring_case(text: &str, word: &str) -> Option<usize> {
    text.as_bytes().windows(word.len()).position(|window| window.eq_ignore_ascii_case(word.as_bytes()))
}

#[cfg(test)]
mod tests;
