//! Whether a source's feed suffices, or its HTML links are taken.

use std::fmt;

/// What the links of a source are taken from, and why it is not the feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Choice {
    /// The feed's entries.
    Feed,
    /// The links in the HTML.
    Html(Fallback),
}

/// Why a source's links come from its HTML.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fallback {
    /// The site announces no feed, or none that is one.
    NoFeed,
    /// The feed could not be had this time.
    Unavailable,
    /// The feed has so few distinct usable entries.
    Sparse(usize),
}

/// Whether so many distinct usable entries suffice. They are counted before `max_links` cuts them, or a `max_links` of
/// two would never use a feed.
pub fn suffices(entries: usize, least: usize) -> bool {
    entries >= least
}

/// Chooses between a sparse feed and what the HTML gave: the HTML, unless it gave fewer still.
pub fn choose(entries: usize, html_links: usize) -> Choice {
    if html_links < entries { Choice::Feed } else { Choice::Html(Fallback::Sparse(entries)) }
}

impl fmt::Display for Fallback {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoFeed => f.write_str("no feed was found"),
            Self::Unavailable => f.write_str("the feed could not be read this time"),
            Self::Sparse(0) => f.write_str("the feed has no usable entries"),
            Self::Sparse(1) => f.write_str("the feed has only 1 usable entry"),
            Self::Sparse(entries) => write!(f, "the feed has only {entries} usable entries"),
        }
    }
}

#[cfg(test)]
mod tests;
