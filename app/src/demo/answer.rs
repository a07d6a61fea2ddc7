//! What the demo's web answers to a request, without a socket in sight.

use super::world::{FAILING_HOST, MOVED_HOST, Site, World};
use super::{feeds, pages};

/// A response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    /// The status.
    pub(crate) status: u16,
    /// The `Content-Type` header.
    pub(crate) content_type: &'static str,
    /// The `Location` header.
    pub(crate) location: Option<String>,
    /// The body.
    pub(crate) body: String,
}

/// The answer of a host to a path.
pub(crate) fn answer(world: &World, host: &str, path: &str) -> Answer {
    if host == FAILING_HOST {
        return Answer::page(500, "<h1>Something went wrong in the harbour</h1>".to_owned());
    }
    if host == MOVED_HOST.0 {
        return Answer {
            location: Some(format!("http://{}{path}", MOVED_HOST.1)),
            ..Answer::page(301, "<p>We have moved.</p>".to_owned())
        };
    }
    world.site(host).map_or_else(|| Answer::page(404, "<h1>No such site</h1>".to_owned()), |site| of_site(site, path))
}

impl Answer {
    fn page(status: u16, body: String) -> Self {
        Self { status, content_type: "text/html; charset=utf-8", location: None, body }
    }
}

fn of_site(site: &Site, path: &str) -> Answer {
    if site.feed_path.as_deref() == Some(path)
        && let Some(feed) = feeds::feed(site)
    {
        return Answer { content_type: feed.content_type, ..Answer::page(200, feed.body) };
    }
    if let Some(article) = site.articles.iter().find(|article| site.path_of(article) == path) {
        return Answer::page(200, pages::article(site, article));
    }
    match path {
        "/" => Answer::page(200, pages::list(site, None)),
        "/about" => Answer::page(200, pages::about(site, "About us")),
        "/contact" => Answer::page(200, pages::about(site, "Contact")),
        "/privacy" => Answer::page(200, pages::about(site, "Privacy")),
        "/robots.txt" => {
            Answer { content_type: "text/plain", ..Answer::page(200, "User-agent: *\nAllow: /\n".to_owned()) }
        }
        _ => of_section(site, path),
    }
}

fn of_section(site: &Site, path: &str) -> Answer {
    let section = path.strip_prefix("/section/");
    let known = section.filter(|section| site.sections().into_iter().any(|known| pages::slug(known) == *section));
    match known {
        Some(section) => Answer::page(200, pages::list(site, Some(section))),
        None => Answer::page(404, pages::about(site, "There is nothing here")),
    }
}
