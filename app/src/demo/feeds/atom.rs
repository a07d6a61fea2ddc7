//! How a site of the demo looks as Atom.

use super::super::markup::escape;
use super::super::world::{Article, Site};

/// Atom 1.0, newest first.
pub(crate) fn atom(site: &Site) -> String {
    let entries: String = site.articles.iter().map(|article| entry(site, article)).collect();
    let updated = site.articles.first().map(|article| article.published_at.to_string()).unwrap_or_default();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"{language}\">\n\
         <id>{home}</id><title>{name}</title><subtitle>{tagline}</subtitle><updated>{updated}</updated>\n\
         <link rel=\"self\" href=\"{itself}\"/><link rel=\"alternate\" type=\"text/html\" href=\"{home}\"/>\n{entries}</feed>\n",
        language = site.language,
        home = site.url("/"),
        name = escape(&site.name),
        tagline = escape(&site.tagline),
        itself = site.url(site.feed_path.as_deref().unwrap_or("/")),
    )
}

fn entry(site: &Site, article: &Article) -> String {
    format!(
        "<entry><id>tag:{host},2026:{slug}</id><title>{title}</title><link href=\"{path}\"/>\
         <published>{date}</published><updated>{date}</updated><author><name>{author}</name></author>\
         <category term=\"{section}\"/><summary>{summary}</summary></entry>\n",
        host = site.host,
        slug = article.slug,
        title = escape(&article.title),
        path = site.path_of(article),
        date = article.published_at,
        author = escape(&article.author),
        section = escape(&article.section),
        summary = escape(&article.summary()),
    )
}
