//! Which characters of a text would mean something in Markdown, and how they are kept from it.

/// Where a text will stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// In a paragraph, a heading, an item.
    Line,
    /// In a cell of a table, where a bar ends the cell and a line ends the table.
    Cell,
}

/// The text, so that it means itself.
pub(super) fn escaped(text: &str, place: Place) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    let dollars = text.bytes().filter(|byte| *byte == b'$').take(2).count() > 1;
    let mut before = None;
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let after = rest.peek().copied();
        match character {
            '\\' | '`' | '*' | '[' | ']' => push_escaped(&mut out, character),
            '<' if after.is_some_and(|next| next.is_ascii_alphabetic() || "/!?".contains(next)) => {
                push_escaped(&mut out, character);
            }
            '_' if !within_word(before, after) => push_escaped(&mut out, character),
            '~' if before == Some('~') || after == Some('~') => push_escaped(&mut out, character),
            '&' if begins_reference(rest.clone()) => push_escaped(&mut out, character),
            '$' if dollars => push_escaped(&mut out, character),
            '|' if place == Place::Cell => push_escaped(&mut out, character),
            '\n' | '\u{2028}' | '\u{b}' if place == Place::Cell => out.push_str("<br>"),
            '\n' | '\u{2028}' | '\u{b}' => out.push_str("  \n"),
            // A zero byte marks what is still to be looked up; no text has one.
            '\0' | '\r' => {}
            other => out.push(other),
        }
        before = Some(character);
    }
    out
}

/// A line of a paragraph, so that its first characters make it no heading, list, quote or rule.
pub(super) fn line_start_escaped(line: &str) -> String {
    let blank = line.len() - line.trim_start_matches([' ', '\t']).len();
    let text = &line[blank..];
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let mark = match text.as_bytes() {
        [b'#' | b'>' | b'=' | b'|', ..] => Some(0),
        [b'-' | b'+', b' ' | b'\t' | b'-', ..] | [b'-' | b'+'] => Some(0),
        [b'~', b'~', b'~', ..] => Some(0),
        bytes if (1..10).contains(&digits) && matches!(bytes.get(digits), Some(b'.' | b')')) => {
            matches!(bytes.get(digits + 1), None | Some(b' ' | b'\t')).then_some(digits)
        }
        _ => None,
    };
    match mark {
        Some(at) => format!("{}\\{}", &text[..at], &text[at..]),
        None => text.to_owned(),
    }
}

/// A code span whose marks are longer than any run of them in the text.
pub(super) fn code_span(text: &str, place: Place) -> String {
    let text = text.replace(['\n', '\r', '\0'], " ");
    let text = if place == Place::Cell { text.replace('|', "\\|") } else { text };
    let marks = "`".repeat(longest_run(&text, '`') + 1);
    let room = if text.starts_with('`') || text.ends_with('`') || text.trim().is_empty() { " " } else { "" };
    format!("{marks}{room}{text}{room}{marks}")
}

/// The marks of a fence that no line of the text can end.
pub(super) fn fence(text: &str) -> String {
    "`".repeat(longest_run(text, '`').max(2) + 1)
}

/// A link's target.
pub(super) fn target(url: &str) -> String {
    let mut out = String::with_capacity(url.len());
    for character in url.chars() {
        match character {
            ' ' => out.push_str("%20"),
            '(' => out.push_str("%28"),
            ')' => out.push_str("%29"),
            '<' => out.push_str("%3C"),
            '>' => out.push_str("%3E"),
            '\\' => out.push_str("%5C"),
            '|' => out.push_str("%7C"),
            control if control.is_control() => {}
            other => out.push(other),
        }
    }
    out
}

fn push_escaped(out: &mut String, character: char) {
    out.push('\\');
    out.push(character);
}

/// Whether `&` and what follows would be read as one character, as `&copy;` would.
fn begins_reference(rest: impl Iterator<Item = char>) -> bool {
    let mut name = rest.take(MAX_REFERENCE).skip_while(|next| next.is_ascii_alphanumeric() || *next == '#');
    name.next() == Some(';')
}

fn within_word(before: Option<char>, after: Option<char>) -> bool {
    before.is_some_and(char::is_alphanumeric) && after.is_some_and(char::is_alphanumeric)
}

fn longest_run(text: &str, mark: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for character in text.chars() {
        run = if character == mark { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

/// The longest name of a character, and its semicolon.
const MAX_REFERENCE: usize = 33;
