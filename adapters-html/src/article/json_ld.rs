//! What the structured data of a page says about its article.

use serde_json::{Map, Value};

/// The fields of a schema.org article; absent ones are empty.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct StructuredArticle {
    pub headline: Option<String>,
    pub authors: Vec<String>,
    pub published: Option<String>,
    pub language: Option<String>,
    pub description: Option<String>,
    pub image: Option<String>,
    pub publisher: Option<String>,
    pub url: Option<String>,
    /// The whole text, where the page gives it.
    pub body: Option<String>,
    /// The page says that only a part can be read without paying.
    pub paywalled: bool,
}

/// The first article among the JSON-LD blocks of a page; of several the one with the most fields.
pub(super) fn structured_article(blocks: &[&str]) -> Option<StructuredArticle> {
    let mut best: Option<(usize, StructuredArticle)> = None;
    for block in blocks.iter().filter(|block| block.len() <= MAX_BLOCK_BYTES) {
        let Some(value) = parse(block) else { continue };
        for object in articles(&value) {
            let rank = article_rank(object) * 100 + object.len();
            if best.as_ref().is_none_or(|(known, _)| rank > *known) {
                best = Some((rank, read(object)));
            }
        }
    }
    best.map(|(_, article)| article)
}

/// JSON as pages write it: in CDATA or a comment, with line ends inside of strings.
fn parse(block: &str) -> Option<Value> {
    let block = block.trim().trim_start_matches("//").trim_start();
    let block = block.strip_prefix("<![CDATA[").unwrap_or(block).trim_start();
    let block = block.strip_prefix("<!--").unwrap_or(block).trim_start();
    let block = block.trim_end_matches(';').trim_end();
    let block = block.strip_suffix("//]]>").or_else(|| block.strip_suffix("]]>")).unwrap_or(block);
    let block = block.strip_suffix("-->").unwrap_or(block);
    serde_json::from_str(block).or_else(|_| serde_json::from_str(&block.replace(['\n', '\r', '\t'], " "))).ok()
}

/// The objects of an article type, in document order, however deep the graph.
fn articles(value: &Value) -> Vec<&Map<String, Value>> {
    let (mut found, mut open) = (Vec::new(), vec![value]);
    while let Some(value) = open.pop() {
        match value {
            Value::Array(values) => open.extend(values.iter().rev()),
            Value::Object(object) => {
                if article_rank(object) > 0 {
                    found.push(object);
                }
                open.extend(
                    ["@graph", "mainEntity", "mainEntityOfPage"].iter().rev().filter_map(|key| object.get(*key)),
                );
            }
            _ => {}
        }
    }
    found
}

/// How surely an object is the article of the page.
fn article_rank(object: &Map<String, Value>) -> usize {
    let named = |name: &str| match name.rsplit(['/', ':']).next().unwrap_or(name) {
        "NewsArticle"
        | "BlogPosting"
        | "Article"
        | "ReportageNewsArticle"
        | "TechArticle"
        | "ScholarlyArticle"
        | "OpinionNewsArticle"
        | "AnalysisNewsArticle"
        | "LiveBlogPosting"
        | "Report"
        | "AdvertiserContentArticle"
        | "BackgroundNewsArticle"
        | "ReviewNewsArticle"
        | "MedicalScholarlyArticle"
        | "APIReference"
        | "SocialMediaPosting"
        | "DiscussionForumPosting"
        | "SatiricalArticle" => 3,
        "Review" | "Recipe" | "QAPage" | "HowTo" | "CreativeWork" => 2,
        "WebPage" | "ItemPage" => 1,
        _ => 0,
    };
    match object.get("@type") {
        Some(Value::String(name)) => named(name),
        Some(Value::Array(names)) => names.iter().filter_map(Value::as_str).map(named).max().unwrap_or(0),
        _ => 0,
    }
}

fn read(object: &Map<String, Value>) -> StructuredArticle {
    let field = |names: &[&str]| names.iter().find_map(|name| text(object.get(*name)?));
    StructuredArticle {
        headline: field(&["headline"]).or_else(|| field(&["name"])),
        authors: names_of(object.get("author")).or_else(|| names_of(object.get("creator"))).unwrap_or_default(),
        published: field(&["datePublished", "dateCreated", "uploadDate"]),
        language: field(&["inLanguage"]),
        description: field(&["description"]),
        image: object.get("image").or_else(|| object.get("thumbnailUrl")).and_then(address_of),
        publisher: object.get("publisher").and_then(name_of),
        url: object.get("url").and_then(address_of).or_else(|| object.get("mainEntityOfPage").and_then(address_of)),
        body: field(&["articleBody"]),
        paywalled: matches!(object.get("isAccessibleForFree"), Some(Value::Bool(false)))
            || field(&["isAccessibleForFree"]).is_some_and(|free| free.eq_ignore_ascii_case("false")),
    }
}

fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Array(values) => values.iter().find_map(text),
        Value::Object(object) => object.get("@value").or_else(|| object.get("name")).and_then(text),
        _ => None,
    }
}

fn names_of(value: Option<&Value>) -> Option<Vec<String>> {
    let names: Vec<String> = match value? {
        Value::Array(values) => values.iter().filter_map(name_of).take(MAX_AUTHORS).collect(),
        value => name_of(value).into_iter().collect(),
    };
    Some(names).filter(|names| !names.is_empty())
}

fn name_of(value: &Value) -> Option<String> {
    match value {
        Value::Object(object) => object.get("name").and_then(text),
        value => text(value),
    }
}

fn address_of(value: &Value) -> Option<String> {
    match value {
        Value::Object(object) => {
            ["url", "contentUrl", "@id"].iter().find_map(|key| object.get(*key)).and_then(address_of)
        }
        Value::Array(values) => values.iter().find_map(address_of),
        value => text(value),
    }
}

const MAX_BLOCK_BYTES: usize = 1024 * 1024;
const MAX_AUTHORS: usize = 20;

#[cfg(test)]
mod tests;
