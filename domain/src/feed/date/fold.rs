//! How is a date text made comparable: lower case, no accents, no comments, plain digits and dashes.

use unicode_normalization::char::decompose_compatible;

/// Folds case, accents, full-width forms and dashes, and leaves out what stands in parentheses.
///
/// Accents go because feeds write `Mär`, `mär` and `MAR` + combining mark alike. Hangul stays composed, so that a
/// syllable is one character.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    let mut depth = 0usize;
    for character in text.chars() {
        if character.is_ascii() {
            push(&mut folded, &mut depth, character.to_ascii_lowercase());
        } else if is_hangul(character) {
            push(&mut folded, &mut depth, character);
        } else {
            decompose_compatible(character, |part| {
                for lower in part.to_lowercase() {
                    push(&mut folded, &mut depth, lower);
                }
            });
        }
    }
    folded
}

fn push(folded: &mut String, depth: &mut usize, character: char) {
    match character {
        '(' => *depth += 1,
        ')' => *depth = depth.saturating_sub(1),
        _ if *depth > 0 => {}
        '\u{300}'..='\u{36f}' => {}
        '\u{2010}'..='\u{2015}' | '\u{2212}' => folded.push('-'),
        'ς' => folded.push('σ'),
        other => folded.push(other),
    }
}

fn is_hangul(character: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&character)
}
