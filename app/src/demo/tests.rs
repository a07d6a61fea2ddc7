//! Tests of the demo's web: is it whole, and does every site show what it is there to show?

use std::collections::BTreeSet;

use super::answer::{Answer, answer};
use super::world::{FAILING_HOST, FeedShape, MOVED_HOST, Site, World};

fn world() -> World {
    World::at("2026-11-30T12:00:00Z".parse().unwrap()).unwrap()
}

fn get(world: &World, url: &str) -> Answer {
    let (host, path) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    answer(world, host, &format!("/{path}"))
}

fn site(world: &World, shape: FeedShape) -> &Site {
    world.sites.iter().find(|site| site.feed == shape).unwrap()
}

fn feed(world: &World, shape: FeedShape) -> Answer {
    let site = site(world, shape);
    get(world, &site.url(site.feed_path.as_deref().unwrap()))
}

/// The values of an attribute, in order.
fn attributes<'a>(html: &'a str, name: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(name).skip(1).filter_map(|rest| rest.strip_prefix("=\"")?.split('"').next())
}

#[test]
fn there_are_sites_of_every_kind_and_sixty_articles() {
    let world = world();
    assert!(world.sites.len() >= 9);
    assert!(world.sites.iter().map(|site| site.articles.len()).sum::<usize>() >= 60);
    for shape in [
        FeedShape::None,
        FeedShape::Rss20,
        FeedShape::Rss10,
        FeedShape::Atom,
        FeedShape::Json,
        FeedShape::TwoEntries,
        FeedShape::Broken,
    ] {
        assert!(world.sites.iter().any(|site| site.feed == shape), "{shape:?}");
    }
    assert_eq!(world.sources().len(), world.sites.len() + 1);
}

#[test]
fn every_article_is_a_text_of_its_own() {
    let world = world();
    let articles = || world.sites.iter().flat_map(|site| &site.articles);
    let texts: BTreeSet<_> = articles().map(|article| article.text.as_str()).collect();
    let titles: BTreeSet<_> = articles().map(|article| article.title.as_str()).collect();
    assert_eq!((texts.len(), titles.len()), (articles().count(), articles().count()));
    for article in articles() {
        let paragraphs = article.text.trim().split("\n\n").count();
        assert!((3..=6).contains(&paragraphs), "{} has {paragraphs}", article.slug);
        assert!(article.text.len() > 600, "{} is short", article.slug);
    }
}

#[test]
fn articles_are_dated_back_from_now() {
    let now = "2026-11-30T12:00:00Z".parse().unwrap();
    let world = World::at(now).unwrap();
    for site in &world.sites {
        assert!(site.articles.iter().all(|article| article.published_at < now));
        assert!(site.articles.is_sorted_by(|newer, older| newer.published_at >= older.published_at));
    }
}

#[test]
fn every_link_of_every_page_leads_somewhere() {
    let world = world();
    for site in &world.sites {
        let mut open = vec!["/".to_owned()];
        let mut seen = BTreeSet::new();
        while let Some(path) = open.pop() {
            if !seen.insert(path.clone()) || path == "/style.css" || path.starts_with("/share") {
                continue;
            }
            let answer = get(&world, &site.url(&path));
            assert_eq!(answer.status, 200, "{}", site.url(&path));
            if answer.content_type.starts_with("text/html") {
                open.extend(attributes(&answer.body, "href").filter(|href| href.starts_with('/')).map(str::to_owned));
            }
        }
        assert!(site.articles.iter().all(|article| seen.contains(&site.path_of(article))));
    }
}

#[test]
fn a_page_carries_the_whole_text_and_much_that_is_none() {
    let world = world();
    for site in &world.sites {
        let page = get(&world, &site.url_of(&site.articles[0])).body;
        let last = site.articles[0].text.trim().rsplit("\n\n").next().unwrap();
        assert!(page.contains(&super::markup::escape(last)), "{}", site.host);
        assert!(page.contains("cookie-banner") && page.contains("<nav"), "{}", site.host);
    }
}

#[test]
fn a_site_with_a_feed_announces_it_and_one_without_does_not() {
    let world = world();
    for site in &world.sites {
        let announced = get(&world, &site.url("/")).body.contains("rel=\"alternate\"");
        assert_eq!(announced, site.feed != FeedShape::None, "{}", site.host);
    }
}

#[test]
fn the_sparse_feed_has_two_entries_and_the_broken_one_is_broken() {
    let world = world();
    assert_eq!(feed(&world, FeedShape::TwoEntries).body.matches("<item>").count(), 2);
    let broken = feed(&world, FeedShape::Broken).body;
    assert!(broken.contains(", & ") && broken.contains("<media:") && broken.contains('\u{b}'));
    assert!(!broken.contains("xmlns:"));
}

#[test]
fn one_host_fails_one_has_moved_and_strangers_are_unknown() {
    let world = world();
    assert_eq!(answer(&world, FAILING_HOST, "/").status, 500);
    let moved = answer(&world, MOVED_HOST.0, "/");
    assert_eq!((moved.status, moved.location.as_deref()), (301, Some("http://canopy.demo.test/")));
    assert_eq!(answer(&world, "elsewhere.test", "/").status, 404);
    assert_eq!(answer(&world, "bench.demo.test", "/nothing").status, 404);
}
