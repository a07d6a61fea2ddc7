//! How does a list of feeds become OPML?

use std::borrow::Cow;
use std::fmt::Write as _;

use headwater_domain::feed::outline::OutlineFeed;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::{SecretsInUrls, WriteOptions};

/// Writes OPML 2.0: the folders nested, a feed in each line.
pub(super) fn write(feeds: &[OutlineFeed], options: &WriteOptions) -> String {
    let created = options.created_at.to_zoned(jiff::tz::TimeZone::UTC).strftime("%a, %d %b %Y %H:%M:%S GMT");
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<opml version=\"2.0\">\n<head>\n<title>{}</title>\n<dateCreated>{created}</dateCreated>\n</head>\n<body>\n",
        escaped(&options.title)
    );
    // Sorted by folder, so that each folder stands there once; the sort is stable.
    let mut sorted: Vec<&OutlineFeed> = feeds.iter().collect();
    let first = first_appearance(feeds);
    sorted.sort_by_cached_key(|feed| first.places(feed));
    let mut open: &[std::sync::Arc<str>] = &[];
    for feed in sorted {
        let common = open.iter().zip(&feed.path).take_while(|(one, other)| one == other).count();
        close(&mut text, open.len() - common);
        for name in &feed.path[common..] {
            let _ = writeln!(text, "<outline text=\"{}\">", escaped(name));
        }
        open = &feed.path;
        outline(&mut text, feed, options.secrets);
    }
    close(&mut text, open.len());
    text.push_str("</body>\n</opml>\n");
    text
}

fn close(text: &mut String, folders: usize) {
    (0..folders).for_each(|_| text.push_str("</outline>\n"));
}

fn outline(text: &mut String, feed: &OutlineFeed, secrets: SecretsInUrls) {
    let shown = |url: &PrivateUrl| match secrets {
        SecretsInUrls::Redacted => url.redacted(),
        SecretsInUrls::Kept => url.expose().as_str().to_owned(),
    };
    let address = feed.url.redacted();
    let title = escaped(feed.title.as_deref().unwrap_or(&address));
    let _ = write!(
        text,
        "<outline type=\"rss\" text=\"{title}\" title=\"{title}\" xmlUrl=\"{}\"",
        escaped(&shown(&feed.url))
    );
    if let Some(site) = &feed.site_url {
        let _ = write!(text, " htmlUrl=\"{}\"", escaped(&shown(site)));
    }
    text.push_str("/>\n");
}

/// Where each folder appears first among the feeds.
fn first_appearance(feeds: &[OutlineFeed]) -> FirstAppearance<'_> {
    let mut first = std::collections::HashMap::new();
    for (place, feed) in feeds.iter().enumerate() {
        for depth in 1..=feed.path.len() {
            first.entry(&feed.path[..depth]).or_insert(place);
        }
    }
    FirstAppearance(first)
}

struct FirstAppearance<'a>(std::collections::HashMap<&'a [std::sync::Arc<str>], usize>);

impl FirstAppearance<'_> {
    /// The places of a feed's folders, outermost first. So feeds stand before the folders beside them, and the folders in
    /// the order in which they appeared.
    fn places(&self, feed: &OutlineFeed) -> Vec<usize> {
        (1..=feed.path.len()).map(|depth| self.0[&feed.path[..depth]]).collect()
    }
}

/// A text as it may stand in a quoted attribute and in an element; characters that XML cannot carry are left out.
fn escaped(text: &str) -> Cow<'_, str> {
    let plain = |c: char| !matches!(c, '&' | '<' | '>' | '"' | '\'' | '\0'..='\x1f' | '\u{fffe}' | '\u{ffff}');
    if text.chars().all(plain) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\t' | '\n' | '\r' => out.push(' '),
            other if plain(other) => out.push(other),
            _ => {}
        }
    }
    Cow::Owned(out)
}
