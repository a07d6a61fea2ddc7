//! How a document is written as JSON Feed 1.1.

use headwater_domain::feed::{Content, ContentKind, FeedDocument, FeedItem};
use headwater_domain::secret::PrivateUrl;
use serde_json::{Value, json};

use crate::markup::escaped;

/// The document as JSON Feed 1.1.
pub(crate) fn write(document: &FeedDocument) -> String {
    let hubs: Vec<Value> = document.hub_url.iter().map(|hub| json!({"type": "WebSub", "url": hub.expose()})).collect();
    json!({
        "version": "https://jsonfeed.org/version/1.1",
        "title": html(document.title.as_deref()),
        "home_page_url": url(document.link.as_ref()),
        "feed_url": url(document.self_url.as_ref()),
        "next_url": url(document.next_url.as_ref()),
        "description": html(document.description.as_deref()),
        "icon": url(document.image_url.as_ref()),
        "language": document.language,
        "expired": document.complete,
        "hubs": hubs,
        "items": document.items.iter().map(item).collect::<Vec<_>>(),
    })
    .to_string()
}

fn item(item: &FeedItem) -> Value {
    json!({
        "id": item.guid,
        "url": url(item.link.as_ref()),
        "title": html(item.title.as_deref()),
        "date_published": item.published_at,
        "date_modified": item.updated_at,
        "summary": body(item.description.as_ref(), ContentKind::Text),
        "content_html": body(item.content.as_ref(), ContentKind::Html),
        "image": url(item.image_url.as_ref()),
        "language": item.language,
        "authors": item.authors.iter().map(|name| json!({"name": name})).collect::<Vec<_>>(),
        "tags": item.categories.iter().map(|tag| escaped(tag)).collect::<Vec<_>>(),
        "attachments": item.enclosures.iter().map(|file| {
            json!({"url": file.url.expose(), "mime_type": file.mime, "size_in_bytes": file.length})
        }).collect::<Vec<_>>(),
    })
}

fn html(text: Option<&str>) -> Option<String> {
    text.map(escaped)
}

fn url(url: Option<&PrivateUrl>) -> Option<&str> {
    url.map(|url| url.expose().as_str())
}

fn body(content: Option<&Content>, kind: ContentKind) -> Option<&str> {
    content.filter(|content| content.kind == kind).map(|content| content.raw.as_str())
}
