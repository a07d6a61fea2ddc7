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
    body.md(None).trim().to_owned()
}

#[cfg(test)]
mod tests;
