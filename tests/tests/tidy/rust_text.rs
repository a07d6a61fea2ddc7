//! What in a Rust file is code, and where its functions begin and end.
//!
//! No parser: comments, strings and characters are blanked out, braces are counted. That is enough for rules about
//! words and lengths, and it keeps working on files that do not compile yet.

/// A function of a file: its name, and its first and last line (from 1), signature and closing brace included.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    pub name: String,
    pub first_line: usize,
    pub last_line: usize,
}

impl Function {
    pub fn lines(&self) -> usize {
        self.last_line - self.first_line + 1
    }
}

/// The text with comments, strings and characters blanked out; every byte and line that is left stays where it was.
pub fn code(text: &str) -> String {
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let end = end_of_blank(&chars, at);
        if end == at {
            out.push(chars[at]);
            at += 1;
        } else {
            chars[at..end].iter().for_each(|c| blank(*c, &mut out));
            at = end;
        }
    }
    out
}

/// The code with inline `#[cfg(test)] mod … { … }` blanked out too.
pub fn shipped_code(text: &str) -> String {
    let mut code = code(text);
    let mut from = 0;
    while let Some(start) = code[from..].find("#[cfg(test)]").map(|start| start + from) {
        let rest = code[start..].trim_start_matches("#[cfg(test)]").trim_start();
        let body = if rest.starts_with("mod ") { code[start..].find(['{', ';']).map(|at| at + start) } else { None };
        from = match body {
            Some(open) if code.as_bytes()[open] == b'{' => {
                let end = matching_brace(&code, open).unwrap_or(code.len());
                let mut blanked = String::with_capacity(end - start);
                code[start..end].chars().for_each(|c| blank(c, &mut blanked));
                code.replace_range(start..end, &blanked);
                end
            }
            _ => start + 1,
        };
    }
    code
}

/// The functions with a body, in order, of code whose strings and comments are blanked out.
pub fn functions(code: &str) -> Vec<Function> {
    let mut functions = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let before = code[..at].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let name: String = code[at + 3..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let body = body_of(code, at);
        if let (false, Some((open, close))) = (name.is_empty(), body) {
            debug_assert!(open < close, "a body ends after it begins");
            functions.push(Function { name, first_line: line_of(code, at), last_line: line_of(code, close) });
        }
    }
    functions
}

/// The line (from 1) on which a byte stands.
pub fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// Where the words stand as whole identifiers or paths, as byte positions.
pub fn word_positions<'a>(code: &'a str, word: &'a str) -> impl Iterator<Item = usize> + 'a {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    code.match_indices(word).map(|(at, _)| at).filter(move |at| {
        let before = code[..*at].chars().next_back();
        let after = code[at + word.len()..].chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// A line break stays; anything else becomes as many spaces as it has bytes.
fn blank(c: char, out: &mut String) {
    match c {
        '\n' => out.push(c),
        c => out.extend(std::iter::repeat_n(' ', c.len_utf8())),
    }
}

/// The end of the comment, string or character that begins here; `at` itself if none does.
fn end_of_blank(chars: &[char], at: usize) -> usize {
    let next = chars.get(at + 1).copied();
    match (chars[at], next) {
        ('/', Some('/')) => position(chars, at, |c| c == '\n'),
        ('/', Some('*')) => end_of_block_comment(chars, at),
        ('"', _) => end_of_string(chars, at),
        ('r', Some('"' | '#')) if !is_word_before(chars, at) => end_of_raw_string(chars, at),
        ('\'', _) => end_of_character(chars, at),
        _ => at,
    }
}

fn position(chars: &[char], from: usize, wanted: impl Fn(char) -> bool) -> usize {
    (from..chars.len()).find(|at| wanted(chars[*at])).unwrap_or(chars.len())
}

fn end_of_block_comment(chars: &[char], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while at < chars.len() {
        match (chars[at], chars.get(at + 1)) {
            ('/', Some('*')) => (depth, at) = (depth + 1, at + 2),
            ('*', Some('/')) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
        if depth == 0 {
            return at;
        }
    }
    at
}

fn end_of_string(chars: &[char], start: usize) -> usize {
    let mut at = start + 1;
    while at < chars.len() {
        match chars[at] {
            '\\' => at += 2,
            '"' => return at + 1,
            _ => at += 1,
        }
    }
    chars.len()
}

/// Also the byte form, since its `b` is left standing. A raw identifier (`r#type`) is no string.
fn end_of_raw_string(chars: &[char], start: usize) -> usize {
    let open = position(chars, start + 1, |c| c != '#');
    let hashes = open - start - 1;
    if chars.get(open) != Some(&'"') {
        return start;
    }
    (open + 1..chars.len())
        .find(|at| chars[*at] == '"' && chars[at + 1..].iter().take(hashes).filter(|c| **c == '#').count() == hashes)
        .map_or(chars.len(), |close| close + 1 + hashes)
}

/// `'a'` and `'\n'` are characters, `'a` is a lifetime.
fn end_of_character(chars: &[char], start: usize) -> usize {
    match (chars.get(start + 1), chars.get(start + 2)) {
        (Some('\\'), _) => (position(chars, start + 3, |c| c == '\'') + 1).min(chars.len()),
        (Some(_), Some('\'')) => start + 3,
        _ => start,
    }
}

/// A letter before, other than the `b` of a byte string, makes the `r` part of a word.
fn is_word_before(chars: &[char], at: usize) -> bool {
    let word = |at: usize| chars.get(at).is_some_and(|c| c.is_alphanumeric() || *c == '_');
    match at.checked_sub(1) {
        None => false,
        Some(before) if chars[before] == 'b' => before.checked_sub(1).is_some_and(word),
        Some(before) => word(before),
    }
}

/// The braces of the function whose `fn` stands at `at`, or none for a declaration without a body.
fn body_of(code: &str, at: usize) -> Option<(usize, usize)> {
    let mut depth = 0;
    for (offset, c) in code[at..].char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return matching_brace(code, at + offset).map(|close| (at + offset, close - 1)),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// The position after the brace that closes the one at `open`.
fn matching_brace(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0;
    for (offset, c) in code[open..].char_indices() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(open + offset + 1);
        }
    }
    None
}

#[track_caller]
fn check_code(text: &str, expected: &str) {
    assert_eq!(code(text), expected);
}

#[test]
fn comments_strings_and_characters_are_blanked_out() {
    check_code("a // b\nc", "a     \nc");
    check_code("a /* → */ b", "a           b");
    check_code("a /* b /* c */ d */ e", "a                   e");
    check_code(r#"f("x\"y", 1)"#, "f(      , 1)");
    check_code("g(r#\"a \"b\" c\"#)", "g(            )");
    check_code("h(br\"x\")", "h(b    )");
    check_code(r"m('a', '\'', '\u{1F}')", "m(   ,     ,         )");
    check_code("fn l<'a>(x: &'a str)", "fn l<'a>(x: &'a str)");
    check_code("let r#type = for_r(\"\");", "let r#type = for_r(  );");
}

#[test]
fn functions_are_found_with_their_lines() {
    let text =
        "trait T { fn declared(&self); }\nfn short() {}\nfn long(x: [u8; 2]) -> bool\nwhere\n{\n    if x { }\n}\n";
    let found: Vec<_> = functions(&code(text)).into_iter().map(|f| (f.name, f.first_line, f.last_line)).collect();
    assert_eq!(found, [("short".to_owned(), 2, 2), ("long".to_owned(), 3, 7)]);
}

#[test]
fn inline_tests_are_not_shipped() {
    let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { c! {} }\n}\n#[cfg(test)]\nmod more;\nfn d() {}\n";
    let names: Vec<_> = functions(&shipped_code(text)).into_iter().map(|f| f.name).collect();
    assert_eq!(names, ["a", "d"]);
}

#[test]
fn words_are_whole_words() {
    let found: Vec<_> = word_positions("TcpStream, MyTcpStream, TcpStreams, x::TcpStream", "TcpStream").collect();
    assert_eq!(found, [0, 39]);
}
