//! How a site of the demo looks as RSS 2.0, as RSS 1.0, and as RSS that is not well-formed.

use jiff::tz::TimeZone;

use super::super::markup::escape;
use super::super::world::{Article, Site};

/// RSS 2.0 with so many articles, newest first.
pub(crate) fn rss20(site: &Site, count: usize) -> String {
    let items: String = site.articles.iter().take(count).map(|article| item(site, article)).collect();
    channel(site, "xmlns:dc=\"http://purl.org/dc/elements/1.1/\"", &items)
}

/// RSS 1.0: RDF.
pub(crate) fn rss10(site: &Site) -> String {
    let references = site.articles.iter().map(|article| format!("<rdf:li resource=\"{}\"/>", site.url_of(article)));
    let items: String = site.articles.iter().map(|article| rdf_item(site, article)).collect();
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rdf:RDF xmlns=\"http://purl.org/rss/1.0/\" \
         xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\">\n\
         <channel rdf:about=\"{link}\"><title>{name}</title><link>{link}</link><description>{tagline}</description>\
         <dc:language>{language}</dc:language><items><rdf:Seq>{references}</rdf:Seq></items></channel>\n{items}</rdf:RDF>\n",
        link = site.url("/"),
        name = escape(&site.name),
        tagline = escape(&site.tagline),
        language = site.language,
        references = references.collect::<String>(),
    )
}

/// RSS 2.0 with the three faults that are met most often: a bare `&`, a prefix that nobody declared, and a control
/// character.
pub(crate) fn broken(site: &Site) -> String {
    let items = site.articles.iter().map(|article| {
        let sound = item(site, article).replace("&amp;", "&");
        let thumbnail = format!("<media:thumbnail url=\"{}\"/></item>", site.url("/board.png"));
        sound.replace("</item>", &thumbnail).replace("<description>", "<description>\u{b}")
    });
    channel(site, "", &items.collect::<String>())
}

fn channel(site: &Site, namespaces: &str, items: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rss version=\"2.0\" {namespaces}><channel>\n\
         <title>{name}</title><link>{link}</link><description>{tagline}</description><language>{language}</language>\n\
         <ttl>60</ttl>\n{items}</channel></rss>\n",
        name = escape(&site.name),
        link = site.url("/"),
        tagline = escape(&site.tagline),
        language = site.language,
    )
}

fn item(site: &Site, article: &Article) -> String {
    format!(
        "<item><title>{title}</title><link>{link}</link><guid isPermaLink=\"true\">{link}</guid>\
         <pubDate>{date}</pubDate><dc:creator>{author}</dc:creator><category>{section}</category>\
         <description>{summary}</description></item>\n",
        title = escape(&article.title),
        link = site.url_of(article),
        date = article.published_at.to_zoned(TimeZone::UTC).strftime("%a, %d %b %Y %H:%M:%S GMT"),
        author = escape(&article.author),
        section = escape(&article.section),
        summary = escape(&article.summary()),
    )
}

fn rdf_item(site: &Site, article: &Article) -> String {
    format!(
        "<item rdf:about=\"{link}\"><title>{title}</title><link>{link}</link><description>{summary}</description>\
         <dc:creator>{author}</dc:creator><dc:date>{date}</dc:date></item>\n",
        link = site.url_of(article),
        title = escape(&article.title),
        summary = escape(&article.summary()),
        author = escape(&article.author),
        date = article.published_at,
    )
}
