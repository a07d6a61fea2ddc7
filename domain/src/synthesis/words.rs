//! How a text becomes words that can be compared: case, accents, width and script.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// The words of a text, folded: lower case, without accents, full-width forms as ordinary ones.
///
/// Chinese, Japanese and Korean runs have no reliable word borders: each becomes its overlapping pairs of characters
/// and, last, its final character, so that any run of two or more characters can be found as a phrase of pairs. Linear
/// in the input.
pub fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut run = Vec::new();
    for letter in folded(text) {
        let cjk = is_cjk(letter);
        // An apostrophe belongs to the word that it stands in: "don't" is one word.
        let joins = matches!(letter, '\'' | '’') && !word.is_empty();
        if cjk || !letter.is_alphanumeric() && !joins {
            end_word(&mut words, &mut word);
        }
        if !cjk {
            end_run(&mut words, &mut run);
        }
        match letter {
            _ if cjk => run.push(letter),
            _ if letter.is_alphanumeric() && word.len() < MAX_WORD_BYTES => word.push(letter),
            _ => {}
        }
    }
    end_word(&mut words, &mut word);
    end_run(&mut words, &mut run);
    words
}

/// Whether the character belongs to a script that is written without spaces, or is best compared by pairs.
pub fn is_cjk(letter: char) -> bool {
    matches!(u32::from(letter),
        0x3040..=0x30FF | 0x31F0..=0x31FF | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xAC00..=0xD7AF | 0xF900..=0xFAFF
        | 0x20000..=0x323AF)
}

/// Lower case and compatibility forms; marks are dropped from letters that are no CJK ones.
fn folded(text: &str) -> impl Iterator<Item = char> {
    text.chars().flat_map(fold_letter)
}

fn fold_letter(letter: char) -> impl Iterator<Item = char> {
    let ascii = letter.is_ascii().then(|| letter.to_ascii_lowercase());
    let other = (!letter.is_ascii()).then(|| fold_other(letter));
    ascii.into_iter().chain(other.into_iter().flatten())
}

fn fold_other(letter: char) -> impl Iterator<Item = char> {
    // Korean syllables and Japanese voiced letters would fall apart: they are composed again.
    letter
        .nfkd()
        .filter(|part| !is_combining_mark(*part) || matches!(part, '\u{3099}' | '\u{309A}'))
        .nfc()
        .flat_map(char::to_lowercase)
}

fn end_word(words: &mut Vec<String>, word: &mut String) {
    if !word.is_empty() {
        words.push(std::mem::take(word));
    }
}

fn end_run(words: &mut Vec<String>, run: &mut Vec<char>) {
    if let Some(last) = run.last() {
        words.extend(run.windows(2).map(|pair| pair.iter().collect::<String>()));
        words.push(last.to_string());
    }
    run.clear();
}

/// Nothing that is a word is longer; the rest of a run without spaces is left out.
const MAX_WORD_BYTES: usize = 64;

#[cfg(test)]
mod tests;
