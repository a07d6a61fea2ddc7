//! Which element names begin a feed, an item or a field, in whatever case and with whatever prefix.

/// The name without its prefix.
pub(crate) fn local(name: &str) -> &str {
    name.rsplit_once(':').map_or(name, |(_, local)| local)
}

/// The prefix of a name.
pub(crate) fn prefix(name: &str) -> Option<&str> {
    name.rsplit_once(':').map(|(prefix, _)| prefix)
}

/// Whether a feed may begin with an element of that name.
pub(crate) fn is_root(name: &str) -> bool {
    let name = local(name);
    ["rss", "feed", "rdf"].iter().any(|root| name.eq_ignore_ascii_case(root))
}

/// Whether elements of that name hold items.
pub(crate) fn is_container(name: &str) -> bool {
    is_root(name) || local(name).eq_ignore_ascii_case("channel")
}

/// Whether an element of that name is an item.
pub(crate) fn is_item(name: &str) -> bool {
    let short = local(name);
    (short.eq_ignore_ascii_case("item") || short.eq_ignore_ascii_case("entry"))
        && prefix(name).is_none_or(|prefix| !FOREIGN_ITEMS.iter().any(|foreign| prefix.eq_ignore_ascii_case(foreign)))
}

/// Whether an item's start tag stands somewhere in the text.
pub(crate) fn holds_item(text: &str) -> bool {
    memchr::memchr_iter(b'<', text.as_bytes()).any(|at| {
        let name = text[at + 1..].split(|c: char| c.is_ascii_whitespace() || c == '>' || c == '/').next();
        name.is_some_and(|name| name.len() < 40 && is_item(name))
    })
}

/// Whether an element of that name is a field of an item or a channel with nothing but text in it.
pub(crate) fn is_text_field(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    TEXT_FIELDS.contains(&name.as_str()) || name.starts_with("dc:") || name.starts_with("dcterms:")
}

/// Whether an element of that name is a field of an item and no element of HTML.
pub(crate) fn is_feed_field(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    FEED_FIELDS.contains(&name.as_str()) || name.starts_with("dc:") || name == "content:encoded"
}

/// Whether an element of that name is a field of an item or a channel that may hold markup.
pub(crate) fn is_body_field(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    BODY_FIELDS.contains(&name.as_str())
}

/// Whether an element of that name is empty in HTML.
pub(crate) fn is_void(name: &str) -> bool {
    VOID.iter().any(|void| name.eq_ignore_ascii_case(void))
}

/// Prefixes whose `item` or `entry` is something else.
const FOREIGN_ITEMS: [&str; 6] = ["media", "itunes", "cf", "opensearch", "sle", "rdf"];

const TEXT_FIELDS: [&str; 17] = [
    "title",
    "link",
    "guid",
    "pubdate",
    "category",
    "author",
    "comments",
    "language",
    "copyright",
    "lastbuilddate",
    "generator",
    "id",
    "updated",
    "published",
    "issued",
    "modified",
    "created",
];

const FEED_FIELDS: [&str; 12] = [
    "guid",
    "pubdate",
    "enclosure",
    "comments",
    "category",
    "author",
    "id",
    "updated",
    "published",
    "issued",
    "modified",
    "lastbuilddate",
];

const BODY_FIELDS: [&str; 8] =
    ["description", "content:encoded", "content", "summary", "body", "itunes:summary", "fullitem", "xhtml:body"];

const VOID: [&str; 14] =
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "meta", "param", "source", "track", "wbr", "frame"];

/// A name in lower case, for comparing; empty if it is longer than any known.
pub(crate) fn folded<'n>(name: &'n str, buffer: &'n mut [u8; LONGEST]) -> &'n str {
    if !name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        return name;
    }
    let Some(lower) = buffer.get_mut(..name.len()) else { return "" };
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    std::str::from_utf8(lower).unwrap_or("")
}

/// No name that is known is longer.
pub(crate) const LONGEST: usize = 32;
