//! How the attributes of a start tag are read, and its declarations of namespaces.

use std::borrow::Cow;

use memchr::memchr;

use super::{Attribute, NONE, Tree, name, references};
use crate::scan::Flaw;
use crate::tree::scope::Scope;

/// Reads what stands between the name of a start tag and its end, without white space around it.
///
/// Gives the index of the first attribute that is no declaration; declarations go into the scope, those of this element
/// behind `mark`.
pub(super) fn read<'t>(
    text: &'t str,
    tree: &mut Tree<'t>,
    scope: &mut Scope<'t>,
    mark: usize,
    pending: &mut Vec<(&'t str, &'t str)>,
) -> Result<u32, Flaw> {
    pending.clear();
    let mut rest = text;
    while !rest.is_empty() {
        let (name, value, after) = next(rest)?;
        rest = after;
        let declared = match name.strip_prefix("xmlns") {
            Some("") => Some(""),
            Some(prefixed) => prefixed.strip_prefix(':').filter(|prefix| !prefix.is_empty()),
            None => None,
        };
        match declared {
            Some(prefix) => {
                name::split(name)?;
                scope.declare(prefix, uri(value)?, mark, &mut tree.namespaces)?;
            }
            None => pending.push((name, value)),
        }
    }
    let first = tree.attributes.len();
    for (name, value) in pending.drain(..) {
        add(name, value, first, tree, scope)?;
    }
    match tree.attributes[first..].last_mut() {
        Some(attribute) => attribute.last = true,
        None => return Ok(NONE),
    }
    Ok(place(first))
}

/// The first attribute: its name, its value, and what follows.
fn next(text: &str) -> Result<(&str, &str, &str), Flaw> {
    let end = text.bytes().position(|byte| byte == b'=' || is_space(byte)).ok_or(Flaw::BadAttribute)?;
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_ascii_start().strip_prefix('=').ok_or(Flaw::BadAttribute)?.trim_ascii_start();
    let quote = rest.bytes().next().filter(|byte| matches!(byte, b'"' | b'\'')).ok_or(Flaw::BadAttribute)?;
    let length = memchr(quote, &rest.as_bytes()[1..]).ok_or(Flaw::BadAttribute)?;
    let (value, after) = (&rest[1..=length], &rest[length + 2..]);
    if memchr(b'<', value.as_bytes()).is_some() || after.bytes().next().is_some_and(|byte| !is_space(byte)) {
        return Err(Flaw::BadAttribute);
    }
    Ok((name, value, after.trim_ascii_start()))
}

/// Adds an attribute to those of its element, which begin at `first`.
fn add<'t>(
    qualified: &'t str,
    value: &'t str,
    first: usize,
    tree: &mut Tree<'t>,
    scope: &Scope<'t>,
) -> Result<(), Flaw> {
    let (prefix, local) = name::split(qualified)?;
    let namespace = scope.of_attribute(prefix)?;
    let name = tree.place_of(local);
    let length = u16::try_from(local.len()).map_err(|_| Flaw::BadName)?;
    if tree.attributes[first..].iter().any(|known| tree.is_same_name(known, local, namespace)) {
        return Err(Flaw::BadAttribute);
    }
    let decoded = value.bytes().any(references::is_special);
    let (start, end) = if decoded {
        let start = tree.values.len();
        references::push_value(value, &mut tree.values)?;
        (place(start), place(tree.values.len()))
    } else {
        let start = tree.place_of(value);
        (start, start + place(value.len()))
    };
    tree.attributes.push(Attribute { name, length, decoded, last: false, namespace, start, end });
    Ok(())
}

fn uri(value: &str) -> Result<Cow<'_, str>, Flaw> {
    if !value.bytes().any(references::is_special) {
        return Ok(Cow::Borrowed(value));
    }
    let mut uri = String::new();
    references::push_value(value, &mut uri)?;
    Ok(Cow::Owned(uri))
}

impl Tree<'_> {
    fn is_same_name(&self, known: &Attribute, local: &str, namespace: u32) -> bool {
        let uri = |index: u32| self.namespaces.get(index as usize).map(|namespace| &*namespace.uri);
        let name = &self.text.as_bytes()[known.name as usize..][..usize::from(known.length)];
        name == local.as_bytes() && (known.namespace == namespace || uri(known.namespace) == uri(namespace))
    }

    /// Where a slice of the text stands in it.
    pub(super) fn place_of(&self, slice: &str) -> u32 {
        place(slice.as_ptr().addr() - self.text.as_ptr().addr())
    }
}

/// A place as the nodes keep it.
pub(super) fn place(at: usize) -> u32 {
    u32::try_from(at).expect("a text that is larger was refused before")
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
}
