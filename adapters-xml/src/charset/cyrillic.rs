//! Whether text that looks Cyrillic is in the one Cyrillic encoding that the detector does not know.

use encoding_rs::{Encoding, IBM866, KOI8_R, KOI8_U, WINDOWS_1251, X_MAC_CYRILLIC};

/// The guess, or the Macintosh's Cyrillic where that makes far better words.
pub(super) fn settle(sample: &[u8], guess: &'static Encoding) -> &'static Encoding {
    let related = [IBM866, KOI8_R, KOI8_U, WINDOWS_1251].contains(&guess);
    if !related {
        return guess;
    }
    let (of_guess, of_mac) = (oddities(sample, guess), oddities(sample, X_MAC_CYRILLIC));
    if of_mac * 4 < of_guess { X_MAC_CYRILLIC } else { guess }
}

/// How often a Cyrillic word holds what words do not: a capital behind a small letter, a sign between letters.
fn oddities(sample: &[u8], encoding: &'static Encoding) -> usize {
    let (text, _) = encoding.decode_without_bom_handling(sample);
    let mut odd = 0;
    let mut previous = ' ';
    for c in text.chars() {
        let capital = previous.is_lowercase() && is_cyrillic(c) && c.is_uppercase();
        let sign = (is_cyrillic(previous) && is_sign(c)) || (is_cyrillic(c) && is_sign(previous));
        odd += usize::from(is_cyrillic(previous) && capital) + usize::from(sign);
        previous = c;
    }
    odd
}

fn is_cyrillic(c: char) -> bool {
    ('\u{400}'..='\u{4FF}').contains(&c)
}

fn is_sign(c: char) -> bool {
    !c.is_ascii() && !c.is_alphanumeric() && !matches!(c, '«' | '»' | '„' | '“' | '—' | '–' | '№' | '…' | '\u{A0}')
}
