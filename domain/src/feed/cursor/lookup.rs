//! Which known item an item of a document is.

use std::collections::{HashMap, HashSet};

use super::Known;
use crate::feed::identity::{Fingerprint, Marks};

/// Finds the items of one document among those known. Every known item is found once.
pub(super) struct Lookup<'k> {
    known: &'k [Known],
    /// The known items under the keys that the document asks for.
    index: HashMap<Key, Vec<usize>>,
    /// Guids that stand at several items of a document, this one or an earlier one.
    repeated: HashSet<Fingerprint>,
    remembered: &'k [Fingerprint],
    /// Guid and link together stand at several items of this document.
    repeated_pairs: HashSet<(Fingerprint, Option<Fingerprint>)>,
    /// Links that stand at several items of this document.
    repeated_links: HashSet<Fingerprint>,
    taken: Vec<bool>,
    /// What this document had so far.
    seen: HashSet<Key>,
}

/// What an item turned out to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Match {
    /// Unknown.
    New,
    /// A known one; by its link and title only, if `alias`.
    Known {
        /// Its place among those known.
        index: usize,
        /// Its guid is new.
        alias: bool,
    },
    /// One that stood in this document before.
    Again,
}

/// What tells items of one document apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Key {
    Guid(Fingerprint),
    GuidLink(Fingerprint, Option<Fingerprint>),
    GuidLinkTitle(Fingerprint, Option<Fingerprint>, Option<Fingerprint>),
    Link(Fingerprint),
    LinkTitle(Fingerprint, Option<Fingerprint>),
    Text(Fingerprint),
}

impl<'k> Lookup<'k> {
    /// Prepares to find the items of `document`. Linear in both.
    pub(super) fn new(known: &'k [Known], remembered: &'k [Fingerprint], document: &[Marks]) -> Self {
        let mut lookup = Self {
            known,
            index: HashMap::new(),
            repeated: remembered.iter().copied().collect(),
            remembered,
            repeated_pairs: HashSet::new(),
            repeated_links: HashSet::new(),
            taken: vec![false; known.len()],
            seen: HashSet::new(),
        };
        lookup.count(document);
        lookup.index(document);
        lookup
    }

    /// What an item is.
    pub(super) fn find(&mut self, marks: &Marks) -> Match {
        let key = self.key(marks);
        if !self.seen.insert(key) {
            return Match::Again;
        }
        let same = self.among_known(key, marks);
        let alias = if same.is_none() && marks.guid.is_some() { self.alias(marks) } else { None };
        match same.or(alias) {
            Some(index) if self.taken[index] => Match::New,
            Some(index) => {
                self.taken[index] = true;
                Match::Known { index, alias: same.is_none() }
            }
            None => Match::New,
        }
    }

    /// The guids that tell nothing apart, those of this document first, up to a bound.
    pub(super) fn repeated(self) -> Vec<Fingerprint> {
        let earlier: HashSet<_> = self.remembered.iter().copied().collect();
        let mut repeated: Vec<_> = self.repeated.into_iter().filter(|guid| !earlier.contains(guid)).collect();
        repeated.sort_unstable();
        repeated.extend(self.remembered);
        repeated.truncate(MAX_REPEATED);
        repeated
    }

    /// Notes where the known items are that the document may ask for.
    fn index(&mut self, document: &[Marks]) {
        for marks in document {
            let key = self.key(marks);
            self.index.entry(key).or_default();
            if let (Some(_), Some(link)) = (marks.guid, marks.link) {
                self.index.entry(Key::Link(link)).or_default();
            }
        }
        for (place, item) in self.known.iter().enumerate() {
            for key in item.keys() {
                if let Some(places) = self.index.get_mut(&key) {
                    places.push(place);
                }
            }
        }
    }

    /// Finds out which guids and links several items of the document share. Exact doubles share nothing.
    fn count(&mut self, document: &[Marks]) {
        let mut guids = HashMap::new();
        let mut pairs = HashMap::new();
        let mut links = HashMap::new();
        for marks in document {
            if let Some(guid) = marks.guid {
                if *guids.entry(guid).or_insert((marks.link, marks.title)) != (marks.link, marks.title) {
                    self.repeated.insert(guid);
                }
                if *pairs.entry((guid, marks.link)).or_insert(marks.title) != marks.title {
                    self.repeated_pairs.insert((guid, marks.link));
                }
            }
            if let Some(link) = marks.link
                && *links.entry(link).or_insert((marks.guid, marks.title)) != (marks.guid, marks.title)
            {
                self.repeated_links.insert(link);
            }
        }
    }

    fn key(&self, marks: &Marks) -> Key {
        match (marks.guid, marks.link) {
            (Some(guid), _) if !self.repeated.contains(&guid) => Key::Guid(guid),
            (Some(guid), link) if !self.repeated_pairs.contains(&(guid, link)) => Key::GuidLink(guid, link),
            (Some(guid), link) => Key::GuidLinkTitle(guid, link, marks.title),
            (None, Some(link)) if !self.repeated_links.contains(&link) => Key::Link(link),
            (None, Some(link)) => Key::LinkTitle(link, marks.title),
            (None, None) => Key::Text(marks.text),
        }
    }

    fn among_known(&self, key: Key, marks: &Marks) -> Option<usize> {
        let candidates = self.index.get(&key)?;
        let free = || candidates.iter().copied().filter(|&index| !self.taken[index]);
        let by_title = || free().find(|&index| self.known[index].title == marks.title);
        let ambiguous = matches!(key, Key::Link(_)) && candidates.len() > 1;
        let by_link = || free().find(|&index| self.known[index].link == marks.link);
        by_title().or_else(|| if ambiguous { None } else { by_link().or_else(|| free().next()) })
    }

    /// The only known item with that link, if the document has the link once and the title is the same.
    fn alias(&self, marks: &Marks) -> Option<usize> {
        let link = marks.link.filter(|link| !self.repeated_links.contains(link))?;
        let [index] = self.index.get(&Key::Link(link))?.as_slice() else {
            return None;
        };
        (marks.title.is_some() && self.known[*index].title == marks.title).then_some(*index)
    }
}

impl Known {
    /// Every key under which a document may ask for the item.
    fn keys(&self) -> impl Iterator<Item = Key> + '_ {
        let by_guid = self.guids.iter().flat_map(|&guid| {
            [Key::Guid(guid), Key::GuidLink(guid, self.link), Key::GuidLinkTitle(guid, self.link, self.title)]
        });
        let by_link = self.link.into_iter().flat_map(|link| [Key::Link(link), Key::LinkTitle(link, self.title)]);
        by_guid.chain(by_link).chain([Key::Text(self.text)])
    }
}

/// So many repeated guids are remembered.
const MAX_REPEATED: usize = 200;
