//! Where a source's feed is: the links that announce feeds, and how long a found one is trusted.

use std::collections::HashMap;

use url::Url;

use crate::secret::PrivateUrl;

/// A feed that a page or a response announces.
#[derive(Debug, Clone, PartialEq)]
pub struct FeedLink {
    /// Where it is.
    pub url: PrivateUrl,
    /// Its family, as announced.
    pub kind: FeedKind,
    /// What the page calls it.
    pub title: Option<String>,
    /// What it is for.
    pub role: FeedRole,
    /// How it was found.
    pub via: FoundVia,
}

/// A family of feed formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FeedKind {
    /// RSS of any version.
    Rss,
    /// Atom.
    Atom,
    /// JSON Feed.
    Json,
}

/// What a feed is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FeedRole {
    /// The site's own articles.
    Main,
    /// Anything that is neither (categories, tags, authors).
    Other,
    /// Comments on the articles.
    Comments,
}

/// How a feed was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FoundVia {
    /// The document is the feed.
    Document,
    /// A `<link>` element.
    Link,
    /// A `Link:` header.
    Header,
    /// An ordinary link whose URL or text says so.
    Anchor,
}

/// Puts feeds in order, best first, and merges those with the same address.
///
/// The site's own feeds come before those of a part of it, feeds of comments last; within a role what a `<link>` or a
/// `Link` header says comes before what an anchor suggests, else the order of the page stays. Of two with the same
/// address the better place stays, and a title is taken from either.
pub fn rank(links: Vec<FeedLink>) -> Vec<FeedLink> {
    let mut ranked: Vec<FeedLink> = Vec::new();
    let mut places: HashMap<PrivateUrl, usize> = HashMap::new();
    for link in links {
        let Some(place) = places.get(&link.url) else {
            places.insert(link.url.clone(), ranked.len());
            ranked.push(link);
            continue;
        };
        let first = &mut ranked[*place];
        first.role = first.role.min(link.role);
        first.title = first.title.take().or(link.title);
    }
    ranked.sort_by_key(|link| (link.role, link.via == FoundVia::Anchor));
    ranked
}

impl FeedKind {
    /// The family that a media type announces. Parameters and case do not matter, but for `type=entry`, which is no feed.
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        let lower = media_type.to_ascii_lowercase();
        let mut parts = lower.split(';').map(str::trim);
        let essence = parts.next()?;
        if parts.any(|parameter| matches!(parameter.split_once('='), Some(("type", "entry" | "\"entry\"")))) {
            return None;
        }
        match essence {
            "application/rss+xml"
            | "application/x-rss+xml"
            | "application/rss"
            | "text/rss+xml"
            | "text/rss"
            | "application/rdf+xml"
            | "text/rdf+xml"
            | "text/rdf" => Some(Self::Rss),
            "application/atom+xml"
            | "application/x-atom+xml"
            | "application/x.atom+xml"
            | "application/atom"
            | "text/atom+xml"
            | "text/atom" => Some(Self::Atom),
            "application/feed+json" | "application/x-feed+json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Rss => "rss",
            Self::Atom => "atom",
            Self::Json => "json",
        }
    }
}

impl FeedRole {
    /// What a feed is for, judged by what the page calls it and by the segments of its path and query.
    pub fn of(title: Option<&str>, url: &Url) -> Self {
        let title = title.unwrap_or_default().to_lowercase();
        if COMMENT_WORDS.iter().any(|word| title.contains(word)) || names_any(url, &COMMENT_SEGMENTS) {
            return Self::Comments;
        }
        if PART_WORDS.iter().any(|word| title.contains(word)) || names_any(url, &PART_SEGMENTS) {
            return Self::Other;
        }
        Self::Main
    }

    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Other => "other",
            Self::Comments => "comments",
        }
    }
}

impl FoundVia {
    /// The word of the contract.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Link => "link",
            Self::Header => "header",
            Self::Anchor => "anchor",
        }
    }
}

/// Whether a word of the path or of the query is one of `names`.
fn names_any(url: &Url, names: &[&str]) -> bool {
    let query = url.query().unwrap_or_default();
    let words = url.path().split(['/', '.', '-', '_']).chain(query.split(['&', '=', '-', '_', '/']));
    words.into_iter().any(|word| names.iter().any(|name| word.eq_ignore_ascii_case(name)))
}

const COMMENT_WORDS: [&str; 15] = [
    "comment",
    "kommentar",
    "comentario",
    "comentário",
    "commenti",
    "reacties",
    "komentarz",
    "komentář",
    "коммент",
    "комент",
    "yorum",
    "コメント",
    "评论",
    "評論",
    "댓글",
];
const COMMENT_SEGMENTS: [&str; 4] = ["comment", "comments", "kommentare", "commentaires"];
const PART_WORDS: [&str; 12] = [
    "category",
    "kategorie",
    "categoría",
    "catégorie",
    "tag feed",
    "tagged",
    "schlagwort",
    "author",
    "autor",
    "search results",
    "分类",
    "标签",
];
const PART_SEGMENTS: [&str; 8] = ["category", "categories", "tag", "tags", "author", "authors", "search", "kategorie"];

#[cfg(test)]
mod tests;
