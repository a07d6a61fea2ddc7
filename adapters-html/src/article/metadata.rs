//! What a page says about its article, apart from the text.

use dom_query::Document;
use jiff::Timestamp;
use url::Url;

use super::json_ld::{StructuredArticle, structured_article};
use super::metas::{Metas, plain};
use super::{dates, title};
use crate::address;

/// What is known of an article before its text is looked at.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub title: Option<String>,
    pub byline: Option<String>,
    pub published_at: Option<Timestamp>,
    pub language: Option<String>,
    pub site_name: Option<String>,
    pub description: Option<String>,
    pub lead_image: Option<Url>,
    pub canonical_url: Option<Url>,
    /// The whole text as the structured data gives it.
    pub body: Option<String>,
    /// The page says that only a part can be read without paying.
    pub paywalled: bool,
}

/// Reads all of it.
pub(super) fn metadata(document: &Document, json_ld: &[&str], base: &Url, url: &Url) -> Metadata {
    let metas = Metas::read(document);
    let structured = structured_article(json_ld).unwrap_or_default();
    let site_name =
        metas.first(&["og:site_name", "application-name"]).or_else(|| plain(structured.publisher.as_deref()));
    Metadata {
        title: title::title(document, &metas, structured.headline.as_deref(), site_name.as_deref(), url),
        byline: byline(document, &metas, &structured),
        published_at: dates::published(document, &metas, structured.published.as_deref(), url),
        language: language(document, &metas, &structured),
        description: metas.first(&DESCRIPTIONS).or_else(|| plain(structured.description.as_deref())),
        lead_image: lead_image(document, &metas, &structured, base),
        canonical_url: canonical(document, &metas, base),
        site_name,
        body: structured.body,
        paywalled: structured.paywalled,
    }
}

fn byline(document: &Document, metas: &Metas, structured: &StructuredArticle) -> Option<String> {
    let structured = structured.authors.iter().filter_map(|author| plain(Some(author))).collect::<Vec<_>>().join(", ");
    let is_name = |name: &String| !name.is_empty() && !name.contains("://") && name.len() <= MAX_BYLINE_BYTES;
    Some(structured)
        .filter(is_name)
        .or_else(|| metas.first(&BYLINES).filter(is_name))
        .or_else(|| {
            let marked =
                ["[rel~=author]", "[itemprop~=author] [itemprop=name]", "[itemprop~=author]", ".byline", ".author"];
            marked.iter().find_map(|selector| {
                let selection = document.select(selector);
                selection.nodes().iter().take(5).find_map(|node| plain(Some(&node.text())).filter(is_name))
            })
        })
        .map(|name| without_by(&name))
}

fn without_by(name: &str) -> String {
    let word = name.split_whitespace().next().unwrap_or_default();
    let is_by =
        ["by", "von", "par", "por", "di", "door"].iter().any(|by| word.trim_end_matches(':').eq_ignore_ascii_case(by));
    if is_by && word.len() < name.len() { name[word.len()..].trim().to_owned() } else { name.to_owned() }
}

fn language(document: &Document, metas: &Metas, structured: &StructuredArticle) -> Option<String> {
    let html = document.select_single("html").attr("lang").or_else(|| document.select_single("html").attr("xml:lang"));
    let body = || document.select_single("body").attr("lang");
    let candidates = [
        html.map(|lang| lang.to_string()),
        body().map(|lang| lang.to_string()),
        metas.value("og:locale").map(str::to_owned),
        metas.value("content-language").map(str::to_owned),
        metas.value("language").map(str::to_owned),
        structured.language.clone(),
    ];
    candidates.into_iter().flatten().find_map(|tag| {
        let tag = tag.split([',', ';']).next()?.trim().replace('_', "-");
        let is_tag =
            (2..=16).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
        let primary = tag.split('-').next()?;
        (is_tag && (2..=3).contains(&primary.len())).then_some(tag)
    })
}

fn lead_image(document: &Document, metas: &Metas, structured: &StructuredArticle, base: &Url) -> Option<Url> {
    let names = ["og:image:secure_url", "og:image", "og:image:url", "twitter:image", "twitter:image:src", "image"];
    let named = names.iter().filter_map(|name| metas.value(name)).find_map(|value| address::web(value, Some(base)));
    named.or_else(|| structured.image.as_deref().and_then(|value| address::web(value, Some(base)))).or_else(|| {
        let link = document.select_single("link[rel~=image_src]");
        link.attr("href").and_then(|href| address::web(&href, Some(base)))
    })
}

fn canonical(document: &Document, metas: &Metas, base: &Url) -> Option<Url> {
    let link = document.select("link[rel~=canonical][href]");
    let href = link.nodes().iter().find_map(|node| node.attr("href").and_then(|href| address::web(&href, Some(base))));
    href.or_else(|| metas.value("og:url").and_then(|value| address::web(value, Some(base))))
}

const DESCRIPTIONS: [&str; 6] = [
    "og:description",
    "description",
    "twitter:description",
    "dc.description",
    "dcterms.description",
    "dcterms.abstract",
];
const BYLINES: [&str; 12] = [
    "author",
    "article:author",
    "og:article:author",
    "parsely-author",
    "dc.creator",
    "dcterms.creator",
    "dc:creator",
    "sailthru.author",
    "citation_author",
    "byl",
    "authors",
    "twitter:data1",
];
const MAX_BYLINE_BYTES: usize = 200;

#[cfg(test)]
mod tests;
