//! Where the sentences of a text begin and end.

/// The sentences of a plain text, trimmed, in order; what is no whole sentence (a heading, a cut-off end) is left out.
///
/// A sentence ends with `.`, `!`, `?` or `…` before white space and what may begin a sentence, and with the full-width
/// stops of Chinese and Japanese anywhere; closing quotes and brackets belong to it. No sentence ends after an
/// abbreviation, an initial or inside a number. A line break ends what stands before it: the lines of `text` are
/// paragraphs, list items and headings. Linear in the text.
pub fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        while let Some(end) = sentence_end(&line[start..]) {
            let sentence = line[start..start + end].trim();
            if !sentence.is_empty() {
                found.push(sentence);
            }
            start += end;
        }
    }
    found
}

/// The end of the first sentence of a line, behind its closing marks.
fn sentence_end(text: &str) -> Option<usize> {
    let mut letters = text.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        if !is_stop(letter) && !is_wide_stop(letter) {
            continue;
        }
        let mut end = place + letter.len_utf8();
        let mut wide = is_wide_stop(letter);
        // "Really?!", "…so.”", "完了。」"
        while let Some((next_place, next)) =
            letters.next_if(|(_, next)| is_stop(*next) || is_wide_stop(*next) || is_closing(*next))
        {
            wide |= is_wide_stop(next);
            end = next_place + next.len_utf8();
        }
        let rest = &text[end..];
        if wide || rest.trim_start().is_empty() || (begins_anew(rest) && !is_abbreviation(&text[..place], letter)) {
            return Some(end);
        }
    }
    None
}

/// Whether white space comes, and then what may begin a sentence.
fn begins_anew(rest: &str) -> bool {
    let Some(next) = rest.strip_prefix(char::is_whitespace) else { return false };
    let next = next.trim_start().trim_start_matches(['"', '\'', '(', '[', '“', '‘', '«', '¿', '¡', '„']);
    next.chars().next().is_some_and(|letter| !letter.is_lowercase())
}

/// Whether the full stop behind this text belongs to the word before it.
fn is_abbreviation(before: &str, stop: char) -> bool {
    if stop != '.' {
        return false;
    }
    let word = before.rsplit(|letter: char| letter.is_whitespace() || letter == '(').next().unwrap_or_default();
    let mut letters = word.chars();
    let initial = matches!((letters.next(), letters.next()), (Some(letter), None) if letter.is_uppercase());
    // "e.g.", "U.S.": a full stop inside, and never more than a letter or two between.
    let dotted = word.contains('.') && word.split('.').all(|part| part.chars().count() <= 2);
    initial || dotted || ABBREVIATIONS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn is_stop(letter: char) -> bool {
    matches!(letter, '.' | '!' | '?' | '…')
}

fn is_wide_stop(letter: char) -> bool {
    matches!(letter, '。' | '！' | '？' | '｡' | '．')
}

fn is_closing(letter: char) -> bool {
    matches!(letter, '"' | '\'' | ')' | ']' | '”' | '’' | '»' | '」' | '』' | '）' | '】' | '》')
}

/// Words that a full stop follows inside a sentence.
const ABBREVIATIONS: &[&str] = &[
    "mr", "mrs", "ms", "dr", "prof", "st", "no", "vs", "etc", "inc", "ltd", "co", "corp", "jr", "sr", "fig", "vol",
    "approx", "dept", "est", "gen", "gov", "hon", "lt", "col", "sgt", "rev", "sen", "rep", "jan", "feb", "mar", "apr",
    "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "bzw", "ca", "nr", "str", "mme", "mlle", "pp", "ed", "al",
];
