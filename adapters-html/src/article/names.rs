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
        let mut word = String::new();
        let mut before_lower = false;
        for character in text.chars().take(MAX_CHARS) {
            let starts = character.is_uppercase() && before_lower;
            if (starts || !character.is_alphanumeric()) && !word.is_empty() {
                self.0.push(std::mem::take(&mut word));
            }
            if character.is_alphanumeric() {
                word.extend(character.to_lowercase());
            }
            before_lower = character.is_lowercase() || character.is_numeric();
        }
        if !word.is_empty() {
            self.0.push(word);
        }
    }
}

const MAX_CHARS: usize = 300;

#[cfg(test)]
mod tests;
