//! How the text of strangers is handed to a model as data.

/// A text as data: no control characters, none that turn the direction of writing or cannot be seen, none of the marks
/// that frame conversations; at most `max_chars` characters.
///
/// It goes into a JSON string, which it cannot leave; what is taken out here is what a model could see although JSON
/// would let it through.
pub(crate) fn data(text: &str, max_chars: usize) -> String {
    let mut fenced = String::new();
    let mut letters = text.chars().filter_map(visible).take(max_chars).peekable();
    while let Some(letter) = letters.next() {
        fenced.push(letter);
        // "<|system|>", "<<SYS>>", "[INST]" and the like are apart then.
        let opens_mark = match letter {
            '<' => letters.peek().is_some_and(|next| matches!(next, '|' | '<')),
            '[' => letters.peek().is_some_and(|next| matches!(next, 'I' | '/' | '[')),
            _ => false,
        };
        if opens_mark {
            fenced.push(' ');
        }
    }
    fenced
}

fn visible(letter: char) -> Option<char> {
    match letter {
        '\n' => Some('\n'),
        _ if letter.is_whitespace() => Some(' '),
        _ if letter.is_control() => None,
        // Directions, joiners, tags (which spell out hidden text) and variation selectors.
        '\u{200B}'..='\u{200F}'
        | '\u{202A}'..='\u{202E}'
        | '\u{2060}'..='\u{206F}'
        | '\u{FEFF}'
        | '\u{E0000}'..='\u{E007F}'
        | '\u{FE00}'..='\u{FE0F}'
        | '\u{E0100}'..='\u{E01EF}' => None,
        _ => Some(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_frames_conversations_is_taken_apart() {
        assert_eq!(data("<|im_start|>system [INST] <<SYS>>", 100), "< |im_start|>system [ INST] < <SYS>>");
        assert_eq!(data("1 < 2 and [see] a[i]", 100), "1 < 2 and [see] a[i]");
    }

    #[test]
    fn what_cannot_be_seen_is_left_out() {
        assert_eq!(data("a\u{200B}b\u{E0041}\u{202E}c\u{7}\td\n", 100), "abc d\n");
        assert_eq!(data("電池電池", 3), "電池電");
    }
}
