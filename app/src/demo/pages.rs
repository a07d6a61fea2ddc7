//! What the pages of a demo site look like: its front page, its sections, its articles, with everything around them.

mod frame;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::markup::{escape, html};
use super::world::{Article, Layout, Site};

/// The front page, or the page of one section.
pub(crate) fn list(site: &Site, section: Option<&str>) -> String {
    let wanted = |article: &&Article| section.is_none_or(|section| slug(&article.section) == section);
    let teasers: String = site.articles.iter().filter(wanted).map(|article| teaser(site, article)).collect();
    let main = format!("<main><h1>{}</h1>\n<p>{}</p>\n{teasers}</main>", escape(&site.name), escape(&site.tagline));
    frame::page(site, &site.name, "", &main)
}

/// The page of an article.
pub(crate) fn article(site: &Site, article: &Article) -> String {
    let main = match site.layout {
        Layout::Magazine => magazine(site, article),
        Layout::Journal => journal(site, article),
        Layout::Plain => plain(site, article),
    };
    frame::page(site, &article.title, &frame::article_head(site, article), &main)
}

/// A page that says a sentence about the site; no article.
pub(crate) fn about(site: &Site, heading: &str) -> String {
    let main = format!("<main><h1>{heading}</h1><p>{}: {}.</p></main>", escape(&site.name), escape(&site.tagline));
    frame::page(site, heading, "", &main)
}

/// The last part of a section's path.
pub(crate) fn slug(section: &str) -> String {
    section.to_lowercase().replace(' ', "-")
}

fn teaser(site: &Site, article: &Article) -> String {
    format!(
        "<article class=\"teaser\"><h2><a href=\"{path}\">{title}</a></h2>\n\
         <p class=\"meta\"><time datetime=\"{published}\">{day}</time> in <a href=\"/section/{slug}\">{section}</a></p>\n\
         <p>{summary}</p></article>\n",
        path = site.path_of(article),
        title = escape(&article.title),
        published = article.published_at,
        day = day(article.published_at),
        slug = slug(&article.section),
        section = escape(&article.section),
        summary = escape(&article.summary()),
    )
}

fn magazine(site: &Site, article: &Article) -> String {
    format!(
        "<div class=\"layout\"><main><article class=\"story\"><header><p class=\"kicker\">{section}</p><h1>{title}</h1>\n\
         <p class=\"byline\">By <a rel=\"author\" href=\"/about\">{author}</a>, <time datetime=\"{published}\">{day}</time></p>\
         </header>\n{share}<div class=\"story-body\">\n{text}\n</div>\n{share}</article>\n{more}</main>\n{margin}</div>",
        section = escape(&article.section),
        title = escape(&article.title),
        author = escape(&article.author),
        published = article.published_at,
        day = day(article.published_at),
        share = frame::SHARE,
        text = html(&article.text),
        more = more(site, article, "Most read this week"),
        margin = frame::MARGIN,
    )
}

fn journal(site: &Site, article: &Article) -> String {
    format!(
        "<main id=\"content\"><h1 class=\"entry-title\">{title}</h1>\n<div class=\"entry-content\">\n{text}\n</div>\n\
         <footer class=\"entry-meta\">Written by {author} on <time datetime=\"{published}\" pubdate>{day}</time>. Filed under \
         <a href=\"/section/{slug}\">{section}</a>.</footer>\n{more}{comments}</main>",
        title = escape(&article.title),
        text = html(&article.text),
        author = escape(&article.author),
        published = article.published_at,
        day = day(article.published_at),
        slug = slug(&article.section),
        section = escape(&article.section),
        more = more(site, article, "You may also like"),
        comments = frame::COMMENTS,
    )
}

fn plain(site: &Site, article: &Article) -> String {
    format!(
        "<table><tr><td valign=\"top\"><b>{name}</b><br>{day}</td><td>\n<h1>{title}</h1>\n<p><i>{author}</i></p>\n{text}\n\
         </td></tr></table>\n{more}",
        name = escape(&site.name),
        day = day(article.published_at),
        title = escape(&article.title),
        author = escape(&article.author),
        text = html(&article.text),
        more = more(site, article, "Older"),
    )
}

/// Three other articles of the site.
fn more(site: &Site, article: &Article, heading: &str) -> String {
    let others = site.articles.iter().filter(|other| other.slug != article.slug).take(3);
    let links =
        others.map(|other| format!("<li><a href=\"{}\">{}</a></li>", site.path_of(other), escape(&other.title)));
    format!("<aside class=\"related\"><h3>{heading}</h3><ul>{}</ul></aside>\n", links.collect::<String>())
}

fn day(time: Timestamp) -> String {
    time.to_zoned(TimeZone::UTC).strftime("%-d %B %Y").to_string()
}
