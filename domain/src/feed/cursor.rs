//! Which items of a feed are new, updated, known under another name, or known.

mod lookup;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use self::lookup::{Lookup, Match};
use super::FeedItem;
use super::identity::{Fingerprint, Marks};

/// The window of known items: those of the last document, and a bounded number of those that rolled off.
///
/// It holds fingerprints only: nothing that a publisher wrote, and no secret, can be read from it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct FeedCursor {
    /// The last window in document order, then what rolled off, latest first.
    known: Vec<Known>,
    /// How many of them are the last window.
    window: usize,
    /// Guids that one document gave to several items: they tell nothing apart by themselves.
    repeated: Vec<Fingerprint>,
    /// When items were last applied.
    last_fetched_at: Option<Timestamp>,
}

/// A known item.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Known {
    /// Its guids, the present one first.
    #[serde(rename = "g", default, skip_serializing_if = "Vec::is_empty")]
    guids: Vec<Fingerprint>,
    #[serde(rename = "l", default, skip_serializing_if = "Option::is_none")]
    link: Option<Fingerprint>,
    #[serde(rename = "t", default, skip_serializing_if = "Option::is_none")]
    title: Option<Fingerprint>,
    #[serde(rename = "x")]
    text: Fingerprint,
    #[serde(rename = "d")]
    digest: Fingerprint,
}

/// What kind of document the items stood in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Batch {
    /// The feed as it stands: what is missing has rolled off.
    Whole,
    /// Only what changed (226 IM Used): nothing follows from what is missing.
    Delta,
}

/// What became of the items of one document, by their places in it. An item that stands there twice counts once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Applied {
    /// Never seen before.
    pub new: Vec<usize>,
    /// Known, and changed since.
    pub updated: Vec<usize>,
    /// Known by link and title; the guid is new.
    pub aliased: Vec<usize>,
    /// Known and as before.
    pub unchanged: usize,
    /// No item of the last window is left: others may have come and gone unseen.
    pub possible_gap: bool,
}

/// Tells the items of a document apart from those known, and gives the window that now holds.
///
/// An item is known by its guid; by guid and link where a document gives one guid to several items; without a guid by
/// its link, or link and title where links repeat; else by title and date. An unknown guid with a known link, unique on
/// both sides, and the same title is that item under an alias. An empty batch changes nothing, and items that roll off
/// are not deletions.
pub fn apply_feed_items(
    cursor: &FeedCursor,
    items: &[FeedItem],
    batch: Batch,
    now: Timestamp,
) -> (FeedCursor, Applied) {
    if items.is_empty() {
        return (cursor.clone(), Applied::default());
    }
    let marks: Vec<Marks> = items.iter().map(Marks::of).collect();
    let mut lookup = Lookup::new(&cursor.known, &cursor.repeated, &marks);
    let mut applied = Applied::default();
    let mut window: Vec<Known> = Vec::with_capacity(items.len());
    let mut met = vec![false; cursor.known.len()];
    let mut overlaps = false;
    for (place, marks) in marks.iter().enumerate() {
        match lookup.find(marks) {
            Match::Again => continue,
            Match::New => applied.new.push(place),
            Match::Known { index, alias } => {
                let known = &cursor.known[index];
                if alias {
                    applied.aliased.push(place);
                } else if known.digest == marks.digest {
                    applied.unchanged += 1;
                } else {
                    applied.updated.push(place);
                }
                met[index] = true;
                overlaps |= index < cursor.window;
                window.push(known.renewed(marks));
                continue;
            }
        }
        window.push(Known::new(marks));
    }
    applied.possible_gap = batch == Batch::Whole && cursor.window > 0 && !overlaps;
    let repeated = lookup.repeated();
    (cursor.moved_on(window, &met, repeated, batch, now), applied)
}

impl FeedCursor {
    /// Whether any of the items is one of the last window: a walk back through pages has met what is known.
    pub fn meets(&self, items: &[FeedItem]) -> bool {
        let marks: Vec<Marks> = items.iter().map(Marks::of).collect();
        let mut lookup = Lookup::new(&self.known[..self.window()], &self.repeated, &marks);
        marks.iter().any(|marks| matches!(lookup.find(marks), Match::Known { .. }))
    }

    /// Whether no item is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// How many items the last document had.
    pub fn window(&self) -> usize {
        self.window.min(self.known.len())
    }

    /// When items were last applied.
    pub fn last_fetched_at(&self) -> Option<Timestamp> {
        self.last_fetched_at
    }

    /// The cursor after a batch: its items first, then what was known, up to the bound.
    fn moved_on(
        &self,
        batch_items: Vec<Known>,
        met: &[bool],
        repeated: Vec<Fingerprint>,
        batch: Batch,
        now: Timestamp,
    ) -> Self {
        let mut known = batch_items;
        let mut window = known.len();
        for (index, item) in self.known.iter().enumerate().filter(|(index, _)| !met[*index]) {
            if batch == Batch::Delta && index < self.window && window < MAX_WINDOW {
                window += 1;
            }
            known.push(item.clone());
        }
        known.truncate(window + MAX_ROLLED_OFF);
        Self { known, window, repeated, last_fetched_at: Some(now) }
    }
}

impl Known {
    fn new(marks: &Marks) -> Self {
        let guids = marks.guid.into_iter().collect();
        Self { guids, link: marks.link, title: marks.title, text: marks.text, digest: marks.digest }
    }

    /// The item as it stands now; earlier guids stay known.
    fn renewed(&self, marks: &Marks) -> Self {
        let mut renewed = Self::new(marks);
        let earlier = self.guids.iter().filter(|guid| Some(**guid) != marks.guid);
        renewed.guids.extend(earlier.take(MAX_GUIDS - 1));
        renewed
    }
}

/// So many items that rolled off stay known.
pub const MAX_ROLLED_OFF: usize = 5_000;

/// Deltas widen the window up to this.
const MAX_WINDOW: usize = 10_000;

/// So many guids of one item stay known.
const MAX_GUIDS: usize = 4;

#[cfg(test)]
mod tests;
