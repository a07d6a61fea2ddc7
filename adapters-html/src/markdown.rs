//! What safe HTML reads like as Markdown.

use dom_query::Document;
use url::Url;

use crate::{fragment, tree};

/// Markdown of a fragment: links absolute, tables, fenced code with its language, nested lists.
pub(crate) fn markdown(html: &str, base: Option<&Url>) -> String {
    let html = fragment::rewrite(html, base);
    let Ok(document) = tree::build(&html) else { return String::new() };
    of_document(&document)
}

fn of_document(document: &Document) -> String {
    let Some(body) = document.body() else { return String::new() };
    plain_addresses(body.md(None).trim())
}

/// Writes `&` in the addresses of links as it is; the renderer escapes it as HTML would need it.
fn plain_addresses(markdown: &str) -> String {
    let mut out = String::with_capacity(markdown.len());
    let mut rest = markdown;
    while let Some(at) = rest.find("](") {
        let (before, after) = rest.split_at(at + 2);
        out.push_str(before);
        let end = after.find([')', ' ', '\n']).unwrap_or(after.len());
        out.push_str(&after[..end].replace("&amp;", "&"));
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests;
