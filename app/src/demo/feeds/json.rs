//! How a site of the demo looks as JSON Feed.

use serde_json::{Value, json};

use super::super::world::{Article, Site};

/// JSON Feed 1.1, newest first.
pub(crate) fn json_feed(site: &Site) -> String {
    let items: Vec<Value> = site.articles.iter().map(|article| item(site, article)).collect();
    let feed = json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": site.name,
        "description": site.tagline,
        "home_page_url": site.url("/"),
        "feed_url": site.feed_path.as_deref().map(|path| site.url(path)),
        "language": site.language,
        "items": items,
    });
    feed.to_string()
}

fn item(site: &Site, article: &Article) -> Value {
    json!({
        "id": article.slug,
        "url": site.url_of(article),
        "title": article.title,
        "summary": article.summary(),
        "content_text": article.summary(),
        "date_published": article.published_at.to_string(),
        "authors": [{ "name": article.author }],
        "tags": [article.section],
    })
}
