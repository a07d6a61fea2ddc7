//! Which vocabulary an element belongs to.

/// A vocabulary that feeds use, whatever URI or prefix names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    /// No namespace, or one of RSS's own.
    Core,
    Atom,
    Content,
    Dc,
    DcTerms,
    Media,
    Itunes,
    Podcast,
    GooglePlay,
    GeoRss,
    Geo,
    Slash,
    Thread,
    Syndication,
    FeedBurner,
    CreativeCommons,
    WellFormedWeb,
    History,
    Rdf,
    Xml,
    Xhtml,
    Other,
}

impl Space {
    /// The vocabulary of a namespace.
    pub(crate) fn of(uri: &str) -> Self {
        let uri = uri.trim();
        if let Some(space) = TABLE.iter().find(|(known, _, _)| *known == uri).map(|(_, _, space)| *space) {
            return space;
        }
        Self::of_variant(uri)
    }

    /// Other spellings of known namespaces: case, scheme and the slash at the end vary in the wild.
    fn of_variant(uri: &str) -> Self {
        let folded = uri.to_ascii_lowercase();
        let bare = bare(&folded);
        if let Some(space) = TABLE.iter().find(|(known, _, _)| self::bare(known).eq_ignore_ascii_case(bare)) {
            return space.2;
        }
        if VARIANTS.contains(&bare) || bare.starts_with("my.netscape.com/") {
            return Self::Core;
        }
        match bare {
            _ if bare.starts_with("purl.org/atom/") || bare.starts_with("www.w3.org/2005/atom") => Self::Atom,
            _ if bare.starts_with("purl.org/dc/elements/") => Self::Dc,
            _ if bare.contains("/mrss") => Self::Media,
            _ if bare.starts_with("www.itunes.com/dtds/podcast-") => Self::Itunes,
            _ if bare.starts_with("example.com/dtds/podcast-") => Self::Itunes,
            _ => Self::Other,
        }
    }
}

/// The namespace that everybody means by a prefix.
pub(crate) fn well_known(prefix: &str) -> Option<&'static str> {
    TABLE.iter().find(|(_, known, _)| known.eq_ignore_ascii_case(prefix)).map(|(uri, _, _)| *uri)
}

fn bare(uri: &str) -> &str {
    let rest = uri.strip_prefix("https://").or_else(|| uri.strip_prefix("http://")).unwrap_or(uri);
    rest.trim_end_matches(['/', '#'])
}

/// URI, customary prefix, vocabulary; the first row of a prefix is the one to declare.
const TABLE: [(&str, &str, Space); 38] = [
    ("http://www.w3.org/2005/Atom", "atom", Space::Atom),
    ("http://www.w3.org/2005/Atom", "atom10", Space::Atom),
    ("http://www.w3.org/2005/Atom", "a10", Space::Atom),
    ("http://purl.org/atom/ns#", "atom03", Space::Atom),
    ("http://purl.org/rss/1.0/modules/content/", "content", Space::Content),
    ("http://purl.org/dc/elements/1.1/", "dc", Space::Dc),
    ("http://purl.org/dc/terms/", "dcterms", Space::DcTerms),
    ("http://purl.org/dc/terms/", "dct", Space::DcTerms),
    ("http://search.yahoo.com/mrss/", "media", Space::Media),
    ("http://search.yahoo.com/mrss", "mrss", Space::Media),
    ("http://www.itunes.com/dtds/podcast-1.0.dtd", "itunes", Space::Itunes),
    ("http://www.itunes.com/DTDs/PodCast-1.0.dtd", "itunes", Space::Itunes),
    ("https://podcastindex.org/namespace/1.0", "podcast", Space::Podcast),
    ("https://github.com/Podcastindex-org/podcast-namespace/blob/main/docs/1.0.md", "podcast", Space::Podcast),
    ("http://www.google.com/schemas/play-podcasts/1.0", "googleplay", Space::GooglePlay),
    ("http://www.georss.org/georss", "georss", Space::GeoRss),
    ("http://www.w3.org/2003/01/geo/wgs84_pos#", "geo", Space::Geo),
    ("http://purl.org/rss/1.0/modules/slash/", "slash", Space::Slash),
    ("http://purl.org/syndication/thread/1.0", "thr", Space::Thread),
    ("http://purl.org/rss/1.0/modules/syndication/", "sy", Space::Syndication),
    ("http://rssnamespace.org/feedburner/ext/1.0", "feedburner", Space::FeedBurner),
    ("http://backend.userland.com/creativeCommonsRssModule", "creativeCommons", Space::CreativeCommons),
    ("http://web.resource.org/cc/", "cc", Space::CreativeCommons),
    ("http://creativecommons.org/ns#", "cc", Space::CreativeCommons),
    ("http://wellformedweb.org/CommentAPI/", "wfw", Space::WellFormedWeb),
    ("http://purl.org/syndication/history/1.0", "fh", Space::History),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdf", Space::Rdf),
    ("http://www.w3.org/XML/1998/namespace", "xml", Space::Xml),
    ("http://www.w3.org/1999/xhtml", "xhtml", Space::Xhtml),
    ("http://www.w3.org/1999/xhtml", "html", Space::Xhtml),
    ("http://www.w3.org/1999/xhtml", "xh", Space::Xhtml),
    ("http://purl.org/rss/1.0/", "rss", Space::Core),
    ("http://purl.org/rss/1.0/", "rss1", Space::Core),
    ("http://my.netscape.com/rdf/simple/0.9/", "rss090", Space::Core),
    ("http://channel.netscape.com/rdf/simple/0.9/", "rss09", Space::Core),
    ("http://blogs.law.harvard.edu/tech/rss", "rss2", Space::Core),
    ("http://www.georss.org/georss/10", "georss10", Space::GeoRss),
    ("http://madskills.com/public/xml/rss/module/trackback/", "trackback", Space::Other),
];

/// Namespaces under which RSS was published, bare.
const VARIANTS: [&str; 10] = [
    "",
    "backend.userland.com/rss",
    "backend.userland.com/rss2",
    "backend.userland.com/rss091",
    "backend.userland.com/rss092",
    "backend.userland.com/rss093",
    "backend.userland.com/rss094",
    "cyber.law.harvard.edu/rss",
    "cyber.law.harvard.edu/rss/rss.html",
    "my.netscape.com/publish/formats/rss-0.91.dtd",
];
