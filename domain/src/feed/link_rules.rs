//! How a site that makes feed links on request is asked for one, and where its answer has it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use url::{Url, form_urlencoded};

use crate::net::same_site;
use crate::secret::PrivateUrl;
use crate::text::decode_references;

/// How one kind of site makes feed links.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinkRule {
    /// Where the form is posted, relative to the site.
    pub path: String,
    /// The fields of the form.
    #[serde(default)]
    pub params: BTreeMap<String, String>,
    /// The class of the link in the answer.
    pub class: String,
}

/// The rules of all known sites, by host; `default` is for every other one.
///
/// A host's rule is its own, else that of the nearest domain above it. Rules read from a file are added to those that
/// are built in, or replace them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "BTreeMap<String, LinkRule>")]
pub struct LinkRules {
    #[serde(flatten)]
    rules: BTreeMap<String, LinkRule>,
}

/// A form to post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkRequest {
    /// Where to.
    pub url: Url,
    /// `application/x-www-form-urlencoded`.
    pub body: String,
}

impl LinkRules {
    /// The rule for a site.
    pub fn rule(&self, site: &Url) -> &LinkRule {
        let host = site.host_str().unwrap_or_default();
        let suffixes = std::iter::successors(Some(host), |name| name.split_once('.').map(|(_, rest)| rest));
        let named = suffixes.filter(|name| !name.is_empty()).find_map(|name| self.rules.get(name));
        named.or_else(|| self.rules.get(DEFAULT)).expect("the default rule is built in and can only be replaced")
    }
}

/// The form that makes a feed link of a site; `None` where the rule's path is no URL on it.
pub fn build_rss_link_request(rules: &LinkRules, site: &Url) -> Option<LinkRequest> {
    let rule = rules.rule(site);
    let url = site.join(&rule.path).ok().filter(|url| url.origin() == site.origin())?;
    let body = form_urlencoded::Serializer::new(String::new()).extend_pairs(&rule.params).finish();
    Some(LinkRequest { url, body })
}

/// The feed link in a site's answer: the last link of the rule's class that leads to the same site, one with a secret
/// before one without. References are decoded, relative links made absolute.
pub fn extract_rss_link(rules: &LinkRules, page: &Url, html: &str) -> Option<PrivateUrl> {
    let class = &rules.rule(page).class;
    let of_class =
        |link: &Link<'_>| link.class.is_some_and(|names| names.split_ascii_whitespace().any(|name| name == class));
    let links: Vec<PrivateUrl> = links(html)
        .filter(of_class)
        .filter_map(|link| page.join(decode_references(link.href?).trim()).ok())
        .filter(|url| matches!(url.scheme(), "http" | "https") && same_site(url, page))
        .map(PrivateUrl::new)
        .collect();
    let place = links.iter().rposition(PrivateUrl::has_secret).or(links.len().checked_sub(1))?;
    links.into_iter().nth(place)
}

/// The attributes of an `<a>` that matter, as written.
#[derive(Default)]
struct Link<'h> {
    class: Option<&'h str>,
    href: Option<&'h str>,
}

/// The `<a>` tags of a page, in order. One pass over the text.
fn links(html: &str) -> impl Iterator<Item = Link<'_>> {
    let mut rest = html;
    std::iter::from_fn(move || {
        loop {
            rest = &rest[rest.find('<')? + 1..];
            let is_link = rest.starts_with(['a', 'A']) && rest[1..].starts_with(|c: char| c.is_ascii_whitespace());
            if is_link {
                let (link, after) = attributes(&rest[1..]);
                rest = after;
                return Some(link);
            }
        }
    })
}

/// Reads attributes up to the end of the tag; gives what follows it.
fn attributes(tag: &str) -> (Link<'_>, &str) {
    let (mut link, mut rest) = (Link::default(), tag);
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        let end = rest.find(|c: char| c.is_ascii_whitespace() || matches!(c, '=' | '>')).unwrap_or(rest.len());
        let name = &rest[..end];
        rest = rest[end..].trim_start();
        let mut value = "";
        if let Some(after) = rest.strip_prefix('=') {
            (value, rest) = attribute_value(after.trim_start());
        }
        match name.to_ascii_lowercase().as_str() {
            "class" => link.class = link.class.or(Some(value)),
            "href" => link.href = link.href.or(Some(value)),
            _ => {}
        }
        if rest.is_empty() {
            return (link, rest);
        }
        if let Some(after) = rest.strip_prefix('>') {
            return (link, after);
        }
    }
}

fn attribute_value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split_once(quote).unwrap_or((inner, ""));
        }
    }
    text.split_at(text.find(|c: char| c.is_ascii_whitespace() || c == '>').unwrap_or(text.len()))
}

impl Default for LinkRules {
    fn default() -> Self {
        let fields = [("inclbookmarked", "0"), ("itemsmalldescr", "1"), ("showrows", "50"), ("search_mode", "1")];
        let more = [("torrent_type", "1"), ("exp", "180")];
        let rule = |fields: &[(&str, &str)]| LinkRule {
            path: "getrss.php".to_owned(),
            params: fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect(),
            class: "faqlink".to_owned(),
        };
        let rules = [(DEFAULT, rule(&fields)), ("audiences.me", rule(&[&fields[..], &more[..]].concat()))];
        Self { rules: rules.map(|(site, rule)| (site.to_owned(), rule)).into() }
    }
}

impl From<BTreeMap<String, LinkRule>> for LinkRules {
    fn from(more: BTreeMap<String, LinkRule>) -> Self {
        let mut all = Self::default();
        all.rules.extend(more);
        all
    }
}

const DEFAULT: &str = "default";

#[cfg(test)]
mod tests;
