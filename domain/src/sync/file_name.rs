//! Which name a document's file gets.

use std::borrow::Cow;

/// A name for a file of that title, with the extension (without a dot), that every file system takes.
///
/// What separates or is reserved (`/ \ : * ? " < > |` and control characters) becomes `_`, blanks collapse, dots and blanks
/// at the ends go. At most [`MAX_FILE_NAME_BYTES`] bytes, cut between characters, the extension whole. A title that leaves
/// nothing is `untitled`, and one that names a device (`CON`, `LPT1`) gets a `_` behind that name.
///
/// ```
/// # use headwater_domain::sync::file_name;
/// assert_eq!(file_name("A/B: notes ", "md"), "A_B_ notes.md");
/// assert_eq!(file_name(" … ", ""), "…");
/// assert_eq!(file_name("..", "md"), "untitled.md");
/// ```
pub fn file_name(title: &str, extension: &str) -> String {
    let ending = if extension.is_empty() { String::new() } else { format!(".{extension}") };
    let room = MAX_FILE_NAME_BYTES.saturating_sub(ending.len());
    let safe: String = title.chars().map(safe).collect();
    let collapsed = safe.split_whitespace().collect::<Vec<_>>().join(" ");
    let named = no_device(collapsed.trim_matches(ENDS));
    let stem = cut(&named, room).trim_end_matches(ENDS);
    let stem = if stem.is_empty() { "untitled" } else { stem };
    format!("{stem}{ending}")
}

/// Bytes of a file's name, the extension included.
pub const MAX_FILE_NAME_BYTES: usize = 200;

fn safe(character: char) -> char {
    match character {
        '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|' => '_',
        blank if blank.is_whitespace() => ' ',
        control if control.is_control() => '_',
        other => other,
    }
}

/// Some systems take a file for a device by what stands before its first dot.
fn no_device(stem: &str) -> Cow<'_, str> {
    let word = stem.split('.').next().unwrap_or_default().trim_end();
    let lower = word.to_ascii_lowercase();
    let is_numbered =
        |name: &str| lower.strip_prefix(name).is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']));
    let is_device =
        matches!(lower.as_str(), "con" | "prn" | "aux" | "nul") || ["com", "lpt"].into_iter().any(is_numbered);
    if is_device { Cow::Owned(format!("{word}_{}", &stem[word.len()..])) } else { Cow::Borrowed(stem) }
}

fn cut(text: &str, room: usize) -> &str {
    &text[..text.floor_char_boundary(room)]
}

const ENDS: [char; 2] = ['.', ' '];
