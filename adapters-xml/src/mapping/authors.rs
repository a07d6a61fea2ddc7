//! Who wrote it: names out of all the forms that feeds give them.

use std::borrow::Cow;

use headwater_domain::text::plain_text;

use super::Context;
use super::text;
use crate::tree::Element;

/// Authors, each once, in the order they are named.
#[derive(Debug, Default)]
pub(super) struct Authors(Vec<String>);

impl Authors {
    pub(super) fn into_names(self) -> Vec<String> {
        self.0
    }

    /// Adds what an element of text names: a name, an address, or both.
    pub(super) fn add_text<'a, E: Element<'a>>(&mut self, element: E, context: &Context<'_>) {
        if let Some(text) = text::word(element, context) {
            self.add(&name_of(&text));
        }
    }

    /// Adds a person construct of Atom: `name`, else `email`, else `uri`; a bare text counts as the name.
    pub(super) fn add_person<'a, E: Element<'a>>(&mut self, element: E, context: &Context<'_>) {
        let part = |wanted: &str| {
            let mut parts = element.elements().filter(|part| part.name().eq_ignore_ascii_case(wanted));
            parts.find_map(|part| text::word(part, context))
        };
        if element.elements().next().is_none() {
            return self.add_text(element, context);
        }
        let person = part("name").or_else(|| part("email")).or_else(|| part("uri")).or_else(|| part("url"));
        match person {
            Some(person) => self.add(&name_of(&person)),
            None => self.add_text(element, context),
        }
    }

    fn add(&mut self, name: &str) {
        let folded = name.to_lowercase();
        let known = self.0.iter().any(|known| known == name || known.to_lowercase() == folded);
        if !name.is_empty() && !known && self.0.len() < MAX_AUTHORS {
            self.0.push(name.to_owned());
        }
    }
}

/// The name in `name`, `address (name)`, `name (address)` or `name <address>`; the address where there is no name.
pub(super) fn name_of(text: &str) -> String {
    let plain = plain(text);
    let Some(address) = address_in(&plain) else { return plain };
    let rest = format!("{} {}", &plain[..address.start], &plain[address.end..]);
    let name = rest.replace("mailto:", " ");
    let name = name.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '(' | ')' | '<' | '>' | '[' | ']' | ',' | ';' | '"' | ':')
    });
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if name.is_empty() { plain[address].to_owned() } else { balanced(&name) }
}

/// Plain text, but for `<address>`, which is no tag.
fn plain(text: &str) -> String {
    let kept: Cow<'_, str> = match (text.find('<'), text.find('>')) {
        (Some(start), Some(end)) if start < end && text[start..end].contains('@') => {
            Cow::Owned(text.replace(['<', '>'], " "))
        }
        _ => Cow::Borrowed(text),
    };
    plain_text(&kept)
}

fn address_in(text: &str) -> Option<std::ops::Range<usize>> {
    let at = text.find('@')?;
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+' | '%');
    let start = text[..at].char_indices().rev().take_while(|(_, c)| is_part(*c)).last()?.0;
    let tail = &text[at + 1..];
    let length = tail.char_indices().take_while(|(_, c)| is_part(*c)).last().map(|(place, c)| place + c.len_utf8())?;
    Some(start..at + 1 + length)
}

/// A name without the parenthesis that stripping left alone.
fn balanced(name: &str) -> String {
    match (name.contains('('), name.contains(')')) {
        (true, false) => format!("{name})"),
        (false, true) => name.replace(')', "").trim().to_owned(),
        _ => name.to_owned(),
    }
}

/// An item with more authors than this keeps the first.
const MAX_AUTHORS: usize = 200;
