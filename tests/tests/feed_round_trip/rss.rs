//! How a document is written as RSS 2.0.

use std::fmt::Write as _;

use headwater_domain::feed::{Content, FeedDocument, FeedItem};

use crate::markup::{element, escaped, html_element, link, rfc_822, url_element};

/// The document as RSS 2.0 with the modules that publishers use.
pub(crate) fn write(document: &FeedDocument) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rss version=\"2.0\" xmlns:atom=\"http://www.w3.org/2005/Atom\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" \
         xmlns:content=\"http://purl.org/rss/1.0/modules/content/\" xmlns:media=\"http://search.yahoo.com/mrss/\" \
         xmlns:itunes=\"http://www.itunes.com/dtds/podcast-1.0.dtd\">\n<channel>\n",
    );
    html_element(&mut out, "title", document.title.as_deref());
    url_element(&mut out, "link", document.link.as_ref());
    html_element(&mut out, "description", document.description.as_deref());
    element(&mut out, "language", document.language.as_deref());
    let relations = [
        ("self", &document.self_url),
        ("hub", &document.hub_url),
        ("next", &document.next_url),
        ("prev-archive", &document.prev_archive_url),
    ];
    for (rel, url) in relations {
        link(&mut out, "atom:link", rel, url.as_ref());
    }
    if let Some(image) = &document.image_url {
        writeln!(out, "<image><url>{}</url><title>A picture</title></image>", escaped(image.expose().as_str()))
            .expect("memory");
    }
    element(&mut out, "lastBuildDate", document.updated_at.map(rfc_822).as_deref());
    element(&mut out, "ttl", document.ttl_minutes.map(|ttl| ttl.to_string()).as_deref());
    skipped(&mut out, document);
    element(&mut out, "itunes:complete", document.complete.then_some("Yes"));
    document.items.iter().for_each(|item| write_item(&mut out, item));
    out + "</channel>\n</rss>\n"
}

fn skipped(out: &mut String, document: &FeedDocument) {
    let hours: String = document.skip_hours.iter().map(|hour| format!("<hour>{hour}</hour>")).collect();
    let days: String = document.skip_days.iter().map(|day| format!("<day>{}</day>", day.as_str())).collect();
    out.push_str(&format!("<skipHours>{hours}</skipHours><skipDays>{days}</skipDays>\n"));
}

fn write_item(out: &mut String, item: &FeedItem) {
    out.push_str("<item>\n");
    html_element(out, "title", item.title.as_deref());
    url_element(out, "link", item.link.as_ref());
    let guid = if item.guid_is_permalink == Some(true) { "guid" } else { "guid isPermaLink=\"false\"" };
    element(out, guid, item.guid.as_deref());
    element(out, "pubDate", item.published_at.map(rfc_822).as_deref());
    element(out, "dcterms:modified", item.updated_at.map(|at| at.to_string()).as_deref());
    item.authors.iter().for_each(|author| element(out, "dc:creator", Some(author)));
    item.categories.iter().for_each(|category| html_element(out, "category", Some(category)));
    element(out, "description", raw(item.description.as_ref()));
    if let Some(content) = raw(item.content.as_ref()) {
        let sections = content.replace("]]>", "]]]]><![CDATA[>");
        writeln!(out, "<content:encoded><![CDATA[{sections}]]></content:encoded>").expect("memory");
    }
    for file in &item.enclosures {
        let length = file.length.map_or(String::new(), |length| format!(" length=\"{length}\""));
        let mime = file.mime.as_deref().unwrap_or_default();
        writeln!(out, "<enclosure url=\"{}\" type=\"{mime}\"{length}/>", escaped(file.url.expose().as_str()))
            .expect("memory");
    }
    if let Some(image) = &item.image_url {
        writeln!(out, "<media:thumbnail url=\"{}\"/>", escaped(image.expose().as_str())).expect("memory");
    }
    url_element(out, "comments", item.comments_url.as_ref());
    element(out, "dc:language", item.language.as_deref());
    out.push_str("</item>\n");
}

fn raw(content: Option<&Content>) -> Option<&str> {
    content.map(|content| content.raw.as_str())
}
