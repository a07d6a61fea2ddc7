//! Which format the root element says the document is in.

use headwater_domain::feed::FeedFormat;

use crate::tree::Element;

/// The format of a document with that root.
pub(super) fn of<'a, E: Element<'a>>(root: E) -> FeedFormat {
    let name = root.name();
    if name.eq_ignore_ascii_case("rdf") {
        return FeedFormat::Rss10;
    }
    if name.eq_ignore_ascii_case("feed") || name.eq_ignore_ascii_case("entry") {
        return atom(root);
    }
    if name.eq_ignore_ascii_case("rss") {
        return rss(root);
    }
    let entries = root.elements().any(|element| element.name().eq_ignore_ascii_case("entry"));
    if entries { FeedFormat::Atom10 } else { FeedFormat::Rss20 }
}

fn atom<'a, E: Element<'a>>(root: E) -> FeedFormat {
    let old = root.attribute("version").is_some_and(|version| version.trim().starts_with("0."));
    let modified = root.elements().any(|element| element.name().eq_ignore_ascii_case("modified"));
    if old || modified { FeedFormat::Atom03 } else { FeedFormat::Atom10 }
}

fn rss<'a, E: Element<'a>>(root: E) -> FeedFormat {
    match root.attribute("version").map(str::trim) {
        Some(version) if version.starts_with("0.") => FeedFormat::Rss09x,
        Some(version) if version.starts_with("1.") => FeedFormat::Rss10,
        _ => FeedFormat::Rss20,
    }
}
