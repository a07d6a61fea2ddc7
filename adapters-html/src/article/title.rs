//! What the headline of a page is.

use dom_query::Document;
use dom_smoothie::Readability;
use headwater_domain::text::collapse_space;
use url::Url;

use super::metas::{Metas, plain};

/// The headline: structured data and `<meta>` name it, else `<title>` without the name of the site, else a heading.
pub(super) fn title(
    document: &Document,
    metas: &Metas,
    structured: Option<&str>,
    site: Option<&str>,
    url: &Url,
) -> Option<String> {
    let named = metas.first(&TITLES).or_else(|| plain(structured));
    let named = named.map(|title| without_site(&title, site, url));
    named.or_else(|| of_title_element(document, site, url)).or_else(|| {
        let headings = document.select("h1, h2");
        headings.nodes().iter().find_map(|node| plain(Some(&node.text())))
    })
}

fn of_title_element(document: &Document, site: Option<&str>, url: &Url) -> Option<String> {
    let whole = collapse_space(&document.select_single("title").text());
    if whole.is_empty() {
        return None;
    }
    let bare = without_site(&whole, site, url);
    if bare != whole {
        return Some(bare);
    }
    let reader = Readability::with_document(document.clone(), None, None).ok()?;
    plain(Some(&reader.get_article_title())).or(Some(whole))
}

/// Takes the name of the site from the end or the beginning of a title.
fn without_site(title: &str, site: Option<&str>, url: &Url) -> String {
    for (separator, width) in separators(title) {
        let (head, tail) = (title[..separator].trim(), title[separator + width..].trim());
        if is_site(tail, site, url) && !head.is_empty() {
            return without_site(head, site, url);
        }
        if is_site(head, site, url) && !tail.is_empty() {
            return tail.to_owned();
        }
    }
    title.to_owned()
}

/// The separators of a title, the last one first.
fn separators(title: &str) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, character) in title.char_indices() {
        let width = character.len_utf8();
        let spaced = title[..at].ends_with(' ') && title[at + width..].starts_with(' ');
        let tight = matches!(character, '|' | '_' | '：' | '»' | '｜');
        let loose =
            matches!(character, '-' | '–' | '—' | ':' | '/' | '·' | '•' | '«' | '>') && (spaced || !title.is_ascii());
        if tight || loose {
            found.push((at, width));
        }
    }
    found.reverse();
    found.truncate(MAX_SEPARATORS);
    found
}

/// Whether a part of a title is the name of the site, or of its host.
fn is_site(part: &str, site: Option<&str>, url: &Url) -> bool {
    let fold =
        |text: &str| text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>();
    let part = fold(part);
    if part.is_empty() {
        return false;
    }
    if site.is_some_and(|site| fold(site) == part) {
        return true;
    }
    let host = url.host_str().unwrap_or_default().trim_start_matches("www.");
    let labels: Vec<&str> = host.split('.').collect();
    part == fold(host)
        || labels.len() > 1 && labels[..labels.len() - 1].iter().any(|label| label.len() > 2 && fold(label) == part)
}

const TITLES: [&str; 8] = [
    "dc:title",
    "dcterms:title",
    "og:title",
    "weibo:article:title",
    "title",
    "twitter:title",
    "parsely-title",
    "sailthru.title",
];
const MAX_SEPARATORS: usize = 8;

#[cfg(test)]
mod tests;
