//! Which namespace prefixes are in scope, and which must be declared after all.

use headwater_domain::limits::MAX_ATTRIBUTES;

use crate::space;

/// The prefixes declared by the open elements, and those used without.
#[derive(Default)]
pub(super) struct Prefixes<'a> {
    /// A prefix and the depth of the element that declares it.
    declared: Vec<(&'a str, usize)>,
    missing: Vec<String>,
    /// Where in the output the root's declarations go.
    insert_at: usize,
}

/// What a name with that prefix must do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Standing {
    /// The prefix is in scope.
    Declared,
    /// It will be declared on the root; this is its first use or a later one.
    Added,
    /// There are too many: the name goes without.
    Dropped,
}

impl<'a> Prefixes<'a> {
    pub(super) fn insert_at(&mut self, place: usize) {
        self.insert_at = place;
    }

    pub(super) fn declare(&mut self, prefix: &'a str, depth: usize) {
        self.declared.push((prefix, depth));
    }

    /// How many declarations are in scope.
    pub(super) fn count(&self) -> usize {
        self.declared.len()
    }

    pub(super) fn leave(&mut self, depth: usize) {
        while self.declared.last().is_some_and(|(_, at)| *at >= depth) {
            self.declared.pop();
        }
    }

    pub(super) fn standing(&mut self, prefix: &str) -> Standing {
        if prefix == "xml" || self.declared.iter().any(|(known, _)| *known == prefix) {
            return Standing::Declared;
        }
        if self.missing.iter().any(|known| known == prefix) {
            return Standing::Added;
        }
        if self.missing.len() >= MAX_MISSING {
            return Standing::Dropped;
        }
        self.missing.push(prefix.to_owned());
        Standing::Added
    }

    /// Writes the missing declarations into the root's start tag.
    pub(super) fn declare_missing(self, out: &mut String) {
        if self.missing.is_empty() {
            return;
        }
        let mut declarations = String::new();
        for prefix in &self.missing {
            let uri = space::well_known(prefix).map_or_else(|| format!("urn:undeclared:{prefix}"), str::to_owned);
            declarations.push_str(" xmlns:");
            declarations.push_str(prefix);
            declarations.push_str("=\"");
            declarations.push_str(&uri);
            declarations.push('"');
        }
        out.insert_str(self.insert_at, &declarations);
    }
}

/// So many undeclared prefixes are declared after all.
const MAX_MISSING: usize = MAX_ATTRIBUTES / 4;
