//! What are the first words of a text, when it must be short?

/// The beginning of a plain text, at most `max_chars` characters, cut where a sentence ends, else between words.
///
/// A text that is short enough is given whole. A cut inside a sentence is marked with `…`, which counts. Chinese,
/// Japanese and Korean may be cut between any two characters; a character is never parted from the marks on it.
/// Costs what it gives, not what the text is long.
pub fn excerpt(text: &str, max_chars: usize) -> String {
    let text = text.trim();
    if text.char_indices().nth(max_chars).is_none() {
        return text.to_owned();
    }
    if max_chars == 0 {
        return String::new();
    }
    if let Some(end) = sentence_end(text, max_chars) {
        return text[..end].to_owned();
    }
    let mut shortened = text[..word_end(text, max_chars - 1)].trim_end_matches(is_loose_end).to_owned();
    shortened.push('…');
    shortened
}

/// The end of the last sentence that fits, if that is not too short: at least half of what may be given.
fn sentence_end(text: &str, max_chars: usize) -> Option<usize> {
    let mut end = None;
    let mut characters = text.char_indices().take(max_chars + 1).enumerate().peekable();
    while let Some((count, (place, character))) = characters.next() {
        let Some((_, (_, next))) = characters.peek() else { break };
        let ends = is_wide_stop(character) || (is_stop(character) && next.is_whitespace());
        if ends && !is_wide_stop(*next) && (count + 1) * 2 >= max_chars {
            end = Some(place + character.len_utf8());
        }
    }
    end
}

/// The last place within `max_chars` characters where a line could be broken; the very end of them in a long word.
fn word_end(text: &str, max_chars: usize) -> usize {
    let mut breaks = 0;
    let mut whole = 0;
    let mut before = ' ';
    for (place, character) in text.char_indices().take(max_chars + 1) {
        if !is_joined(before, character) {
            whole = place;
            if character.is_whitespace() || is_wide(before) || is_wide(character) {
                breaks = place;
            }
        }
        before = character;
    }
    // A break in the first third would lose too much of a text without spaces, such as a URL.
    if breaks * 3 >= whole { breaks } else { whole }
}

/// Whether two characters are one to the reader: combining marks, variation selectors, joiners, skin tones.
fn is_joined(before: char, character: char) -> bool {
    let mark = matches!(character, '\u{300}'..='\u{36f}' | '\u{1ab0}'..='\u{1aff}' | '\u{20d0}'..='\u{20ff}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{200d}' | '\u{3099}' | '\u{309a}' | '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}');
    let flag = |c: char| ('\u{1f1e6}'..='\u{1f1ff}').contains(&c);
    mark || before == '\u{200d}' || (flag(before) && flag(character))
}

fn is_stop(character: char) -> bool {
    matches!(character, '.' | '!' | '?' | '…')
}

fn is_wide_stop(character: char) -> bool {
    matches!(character, '。' | '！' | '？' | '｡')
}

fn is_wide(character: char) -> bool {
    matches!(character, '\u{2e80}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff60}' | '\u{20000}'..='\u{3ffff}')
}

/// Punctuation that looks wrong before `…`.
fn is_loose_end(character: char) -> bool {
    character.is_whitespace()
        || matches!(
            character,
            ',' | ';' | ':' | '-' | '–' | '—' | '(' | '[' | '，' | '、' | '；' | '：' | '（' | '「' | '.'
        )
}
