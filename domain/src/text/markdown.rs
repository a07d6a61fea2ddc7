//! What does a piece of Markdown say, without its marks?

/// The words of a Markdown text on one line: link targets, pictures and marks are left out.
///
/// Good enough to judge and quote a text, not to render it. Linear in the input.
pub fn plain_text_of_markdown(markdown: &str) -> String {
    let mut plain = String::with_capacity(markdown.len());
    for line in markdown.lines() {
        push_line(&mut plain, line);
        if !plain.ends_with(' ') && !plain.is_empty() {
            plain.push(' ');
        }
    }
    plain.truncate(plain.trim_end().len());
    plain
}

/// Adds the words of one line.
fn push_line(plain: &mut String, line: &str) {
    let mut rest = without_block_marks(line);
    // Once no `]` or `)` follows there is none further on either: what is missing is looked for once a line.
    let mut may_close = true;
    while let Some(next) = rest.chars().next() {
        let mut width = next.len_utf8();
        match next {
            '!' if rest[1..].starts_with('[') => {}
            '[' | '*' | '`' => {}
            '\\' => width += push_escaped(plain, &rest[1..]),
            ']' if may_close => match target_end(&rest[1..]) {
                Some(end) => width += end,
                None if rest[1..].starts_with('(') => may_close = false,
                None => {}
            },
            '|' => push_space(plain),
            _ if next.is_whitespace() => push_space(plain),
            _ => plain.push(next),
        }
        rest = &rest[width..];
    }
}

/// Adds the character behind a backslash; gives its width.
fn push_escaped(plain: &mut String, rest: &str) -> usize {
    match rest.chars().next() {
        Some(escaped) if escaped.is_whitespace() => {
            push_space(plain);
            escaped.len_utf8()
        }
        Some(escaped) => {
            plain.push(escaped);
            escaped.len_utf8()
        }
        None => 0,
    }
}

fn push_space(plain: &mut String) {
    if !plain.is_empty() && !plain.ends_with(' ') {
        plain.push(' ');
    }
}

/// How long the target `(…)` is that stands at the beginning, with its parentheses.
fn target_end(rest: &str) -> Option<usize> {
    if !rest.starts_with('(') {
        return None;
    }
    let mut depth = 0usize;
    for (at, mark) in rest.bytes().enumerate().take(MAX_TARGET_BYTES) {
        match mark {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// The line behind the marks of headings, quotes, lists, rules and table frames.
fn without_block_marks(line: &str) -> &str {
    let line = line.trim_start();
    if line.len() > 2 && line.bytes().all(|mark| b"-=|:_* \t".contains(&mark)) {
        return "";
    }
    let line = line.trim_start_matches(['>', ' ']);
    let heading = line.trim_start_matches('#');
    if heading.len() < line.len() && heading.starts_with(' ') {
        return heading.trim_start();
    }
    ["- ", "* ", "+ "].iter().find_map(|mark| line.strip_prefix(mark)).unwrap_or(line)
}

/// Longer link targets are taken as text, which bounds the work a hostile line can cause.
const MAX_TARGET_BYTES: usize = 4096;

#[cfg(test)]
mod tests;
