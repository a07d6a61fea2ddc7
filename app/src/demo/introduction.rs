//! What the demo says of itself before it begins.

use std::net::SocketAddr;

use super::world::{FAILING_HOST, FeedShape, MOVED_HOST, Site, World};

/// What is about to happen, and what each source is there to show.
pub(crate) fn introduction(world: &World, server: SocketAddr) -> String {
    let sources = world.sources();
    let width = sources.iter().map(String::len).max().unwrap_or_default();
    let shown = world.sites.iter().map(shown_by).chain(["answers 500; the other sites go on".to_owned()]);
    let lines: Vec<_> = sources.iter().zip(shown).map(|(url, shown)| format!("  {url:width$}  {shown}")).collect();
    let articles: usize = world.sites.iter().map(|site| site.articles.len()).sum();
    format!(
        "Headwater's demo: {} sites with {articles} articles, served by this program on {server}.\n\
         They are read as any sites are (find the feed, fetch, read, sort by topic), and no request leaves this machine.\n\n\
         {}\n",
        sources.len(),
        lines.join("\n"),
    )
}

fn shown_by(site: &Site) -> String {
    let feed = match site.feed {
        FeedShape::None => "has no feed; the links of its page are read",
        FeedShape::Rss20 => "RSS 2.0",
        FeedShape::Rss10 => "RSS 1.0",
        FeedShape::Atom => "Atom",
        FeedShape::Json => "JSON Feed",
        FeedShape::TwoEntries => "a feed with two entries, which are too few; the links of its page are read",
        FeedShape::Broken => "RSS that is not well-formed, and is repaired",
    };
    let page = format!("http://{}/", site.host);
    match site.source.as_str() {
        source if source.contains(MOVED_HOST.0) => format!("{}: has moved to {page}; {feed}", site.name),
        source if source == page || site.feed == FeedShape::None => format!("{}: {feed}", site.name),
        _ => format!("{}: the feed itself; {feed}", site.name),
    }
}

/// Why a run of the demo is whole although a source failed.
pub(crate) fn is_meant_to_fail(source_url: &str) -> bool {
    source_url.contains(FAILING_HOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_is_named_with_what_it_shows() {
        let world = World::at("2026-11-30T12:00:00Z".parse().unwrap()).unwrap();
        let text = introduction(&world, ([127, 0, 0, 1], 8080).into());
        assert!(
            text.starts_with("Headwater's demo: 10 sites with 63 articles, served by this program on 127.0.0.1:8080.")
        );
        for source in world.sources() {
            assert!(text.contains(&format!("  {source}")), "{source}");
        }
        assert!(text.contains("Under the Canopy: has moved to http://canopy.demo.test/; RSS 2.0"));
        assert!(text.contains("Dark Sky Diary: the feed itself; Atom"));
        assert!(is_meant_to_fail(world.sources().last().unwrap()));
    }
}
