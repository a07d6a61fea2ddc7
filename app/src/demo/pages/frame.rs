//! What stands around the text on every page of a demo site: head, bars, boxes and notices.

use serde_json::json;

use super::super::feeds;
use super::super::markup::escape;
use super::super::world::{Article, FeedShape, Layout, Site};
use super::slug;

/// A whole page.
pub(crate) fn page(site: &Site, title: &str, head: &str, main: &str) -> String {
    let title = if title == site.name { escape(title) } else { format!("{} | {}", escape(title), escape(&site.name)) };
    format!(
        "<!doctype html>\n<html lang=\"{language}\">\n<head><meta charset=\"utf-8\"><title>{title}</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\"><link rel=\"stylesheet\" href=\"/style.css\">\n{feed}{head}\
         </head>\n<body>\n{notice}{bar}{main}\n{foot}</body>\n</html>\n",
        language = site.language,
        feed = feed_link(site),
        notice = NOTICE,
        bar = bar(site),
        foot = foot(site),
    )
}

/// What the head of an article's page says of it.
pub(crate) fn article_head(site: &Site, article: &Article) -> String {
    let url = site.url_of(article);
    let common = format!(
        "<link rel=\"canonical\" href=\"{url}\">\n<meta name=\"description\" content=\"{summary}\">\n\
         <meta property=\"og:title\" content=\"{title}\"><meta property=\"og:site_name\" content=\"{name}\">\n",
        summary = escape(&article.summary()),
        title = escape(&article.title),
        name = escape(&site.name),
    );
    match site.layout {
        Layout::Magazine => common + &linked_data(site, article, &url),
        Layout::Journal => {
            format!("{common}<meta property=\"article:published_time\" content=\"{}\">\n", article.published_at)
        }
        Layout::Plain => format!(
            "{common}<meta name=\"author\" content=\"{}\"><meta name=\"date\" content=\"{}\">\n",
            escape(&article.author),
            article.published_at,
        ),
    }
}

/// Buttons that nobody presses.
pub(crate) const SHARE: &str = "<div class=\"share-buttons social\"><span>Share this</span> <a href=\"/share?to=mail\">Mail</a> \
    <a href=\"/share?to=chat\">Chat</a> <a href=\"/share?to=print\">Print</a></div>\n";

/// The column beside the text.
pub(crate) const MARGIN: &str = "<aside class=\"sidebar\"><div class=\"advert\"><p>Advertisement</p><p>Sharpened while you \
    wait: knives, scissors, skates. Corner of Mill Street.</p></div>\n<form class=\"newsletter\" action=\"/subscribe\">\
    <h3>Never miss an article</h3><p>Get our letter on Fridays. No more than one a week, and you can leave at any time.</p>\
    <label>Your address <input type=\"email\" name=\"address\"></label><button>Sign me up</button></form></aside>\n";

/// What readers said.
pub(crate) const COMMENTS: &str = "<section id=\"comments\" class=\"comments\"><h3>2 comments</h3><div class=\"comment\"><p>Thank \
    you for this, I had always wondered.</p></div><div class=\"comment\"><p>First!</p></div>\
    <form action=\"/comment\"><textarea name=\"text\"></textarea><button>Send</button></form></section>\n";

const NOTICE: &str = "<div id=\"cookie-consent\" class=\"cookie-banner\" role=\"dialog\"><p>We use cookies to remember that you \
    closed this notice. Some of our partners would like to use more of them.</p><button>Accept all</button> \
    <button>Only what is needed</button> <a href=\"/privacy\">Privacy</a></div>\n\
    <script>document.querySelector('#cookie-consent button').onclick = function () { this.parentNode.remove(); };</script>\n\
    <noscript><p class=\"warning\">This site works without scripts, but the notice above will stay.</p></noscript>\n";

fn feed_link(site: &Site) -> String {
    match (site.feed, site.feed_path.as_deref()) {
        (FeedShape::None, _) | (_, None) => String::new(),
        (shape, Some(path)) => format!(
            "<link rel=\"alternate\" type=\"{}\" title=\"{}\" href=\"{path}\">\n",
            feeds::content_type(shape),
            escape(&site.name),
        ),
    }
}

fn bar(site: &Site) -> String {
    let sections = site.sections().into_iter();
    let links =
        sections.map(|section| format!("<li><a href=\"/section/{}\">{}</a></li>", slug(section), escape(section)));
    format!(
        "<header class=\"site-header\"><a class=\"logo\" href=\"/\">{}</a><nav class=\"menu\"><ul>{}\
         <li><a href=\"/about\">About</a></li><li><a href=\"/contact\">Contact</a></li></ul></nav></header>\n",
        escape(&site.name),
        links.collect::<String>(),
    )
}

fn foot(site: &Site) -> String {
    format!(
        "<footer class=\"site-footer\"><p>{}. All rights reserved, and some of them used.</p><ul><li><a href=\"/privacy\">\
         Privacy</a></li><li><a href=\"/contact\">Contact</a></li><li><a href=\"/about\">About us</a></li></ul></footer>\n",
        escape(&site.name),
    )
}

fn linked_data(site: &Site, article: &Article, url: &str) -> String {
    let data = json!({
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": article.title,
        "datePublished": article.published_at.to_string(),
        "author": { "@type": "Person", "name": article.author },
        "publisher": { "@type": "Organization", "name": site.name },
        "mainEntityOfPage": url,
    });
    format!("<script type=\"application/ld+json\">{data}</script>\n")
}
