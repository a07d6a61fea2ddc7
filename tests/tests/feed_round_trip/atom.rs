//! How a document is written as Atom 1.0.

use std::fmt::Write as _;

use headwater_domain::feed::{FeedDocument, FeedItem};

use crate::markup::{element, escaped, html_element, link, url_element};

/// The document as Atom 1.0.
pub(crate) fn write(document: &FeedDocument) -> String {
    let language = document.language.as_deref().map_or(String::new(), |tag| format!(" xml:lang=\"{tag}\""));
    let mut out = format!(
        "<feed xmlns=\"http://www.w3.org/2005/Atom\" xmlns:media=\"http://search.yahoo.com/mrss/\"{language}>\n"
    );
    html_element(&mut out, "title type=\"html\"", document.title.as_deref());
    element(&mut out, "subtitle", document.description.as_deref());
    let relations = [
        ("alternate", &document.link),
        ("self", &document.self_url),
        ("hub", &document.hub_url),
        ("next", &document.next_url),
        ("prev-archive", &document.prev_archive_url),
    ];
    for (rel, url) in relations {
        link(&mut out, "link", rel, url.as_ref());
    }
    url_element(&mut out, "logo", document.image_url.as_ref());
    element(&mut out, "updated", document.updated_at.map(|at| at.to_string()).as_deref());
    document.items.iter().for_each(|item| write_item(&mut out, item));
    out + "</feed>\n"
}

fn write_item(out: &mut String, item: &FeedItem) {
    out.push_str("<entry>\n");
    element(out, "id", item.guid.as_deref());
    element(out, "title", item.title.as_deref());
    link(out, "link", "alternate", item.link.as_ref());
    link(out, "link", "replies", item.comments_url.as_ref());
    element(out, "published", item.published_at.map(|at| at.to_string()).as_deref());
    element(out, "updated", item.updated_at.map(|at| at.to_string()).as_deref());
    for author in &item.authors {
        writeln!(out, "<author><name>{author}</name><email>x@site.example</email></author>").expect("memory");
    }
    for category in &item.categories {
        writeln!(out, "<category term=\"{}\"/>", escaped(&escaped(category))).expect("memory");
    }
    element(out, "summary type=\"html\"", item.description.as_ref().map(|body| body.raw.as_str()));
    element(out, "content type=\"html\"", item.content.as_ref().map(|body| body.raw.as_str()));
    for file in &item.enclosures {
        let length = file.length.map_or(String::new(), |length| format!(" length=\"{length}\""));
        let mime = file.mime.as_deref().unwrap_or_default();
        writeln!(
            out,
            "<link rel=\"enclosure\" type=\"{mime}\"{length} href=\"{}\"/>",
            escaped(file.url.expose().as_str())
        )
        .expect("memory");
    }
    if let Some(image) = &item.image_url {
        writeln!(out, "<media:thumbnail url=\"{}\"/>", escaped(image.expose().as_str())).expect("memory");
    }
    out.push_str("</entry>\n");
}
