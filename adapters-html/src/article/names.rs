//! Which words the class, the id and the like of an element consist of.

use dom_query::Element;

/// The words, in lower case, in order; `postMeta-top` is `post`, `meta`, `top`.
#[derive(Debug, Default)]
pub(crate) struct Names(Vec<String>);

impl Names {
    /// Reads the attributes that pages name elements with.
    pub(crate) fn of(element: &Element) -> Self {
        let mut names = Self::default();
        for attribute in &element.attrs {
            if matches!(
                &*attribute.name.local,
                "class" | "id" | "role" | "data-testid" | "data-component" | "aria-label"
            ) {
                names.read(&attribute.value);
            }
        }
        names
    }

    /// Whether one of the words is among `words`.
    pub(crate) fn any(&self, words: &[&str]) -> bool {
        self.0.iter().any(|name| words.contains(&name.as_str()))
    }

    /// Whether two words follow one another somewhere.
    pub(crate) fn pair(&self, pairs: &[(&str, &str)]) -> bool {
        self.0.windows(2).any(|two| pairs.contains(&(two[0].as_str(), two[1].as_str())))
    }

    fn read(&mut self, text: &str) {
        let end = text.char_indices().nth(MAX_CHARS).map_or(text.len(), |(at, _)| at);
        for part in text[..end].split(|c: char| !c.is_alphanumeric()).filter(|part| !part.is_empty()) {
            if is_generated(part) {
                continue;
            }
            let mut word = String::new();
            let mut after_lower = false;
            for character in part.chars() {
                if character.is_uppercase() && after_lower {
                    self.0.push(std::mem::take(&mut word));
                }
                word.extend(character.to_lowercase());
                after_lower = character.is_lowercase() || character.is_numeric();
            }
            self.0.push(word);
        }
    }
}

/// Whether a name was made by a program, as `fSDCJY` and `jpYiwZ` are: short, and its letters change their case without
/// making words.
fn is_generated(part: &str) -> bool {
    let bytes = part.as_bytes();
    let changes = bytes.windows(2).filter(|two| two[0].is_ascii_uppercase() != two[1].is_ascii_uppercase()).count();
    let capitals = bytes.iter().filter(|byte| byte.is_ascii_uppercase()).count();
    part.len() <= 8 && (changes >= 3 || (changes > 0 && capitals >= 3))
}

const MAX_CHARS: usize = 300;

#[cfg(test)]
mod tests;
