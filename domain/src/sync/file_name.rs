//! Which name a document's file gets.

/// A name for a file of that title, with the extension (without a dot), that every file system takes.
///
/// What separates or is reserved (`/ \ : * ? " < > |` and control characters) becomes `_`, blanks collapse, dots and blanks
/// at the ends go. At most [`MAX_FILE_NAME_BYTES`] bytes, cut between characters, the extension whole. A title that leaves
/// nothing is `untitled`.
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
    let stem = cut(collapsed.trim_matches(ENDS), room).trim_end_matches(ENDS);
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

fn cut(text: &str, room: usize) -> &str {
    &text[..text.floor_char_boundary(room)]
}

const ENDS: [char; 2] = ['.', ' '];
