//! How text of others stands in XML and HTML as text.

use super::phrase::clean;

/// Text of others as mere characters, in an element or a quoted attribute; on one line, without control characters.
pub(super) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in clean(text).chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            // Neither is a character of XML.
            '\u{FFFE}' | '\u{FFFF}' => {}
            _ => escaped.push(letter),
        }
    }
    escaped
}
