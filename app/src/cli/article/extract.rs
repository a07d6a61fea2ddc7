//! `headwater article extract`: the article of a stored page.

use std::path::PathBuf;

use clap::Args;
use headwater_domain::synthesis::article::PageArticle;
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{Error, FeedInput, FeedParser, PageInput};
use serde_json::{Value, json};
use url::Url;

use super::super::Status;
use crate::context::Context;
use crate::failure::UsageError;
use crate::{input, output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct ExtractArgs {
    /// The page; `-` is standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,

    /// Where the page was fetched: what relative URLs are relative to
    #[arg(long, value_name = "URL")]
    url: Url,

    /// The Content-Type that it was served with
    #[arg(long, value_name = "TYPE")]
    content_type: Option<String>,
}

/// Runs the command.
pub(crate) async fn run(args: ExtractArgs, context: &Context) -> anyhow::Result<Status> {
    let bytes = input::read(&args.file, limits::MAX_BODY_BYTES).map_err(UsageError::from)?;
    let article = tokio::task::spawn_blocking(move || {
        expect_no_feed(&bytes, wiring::feed_parser().as_ref())?;
        let page =
            PageInput { bytes: &bytes, url: &args.url, content_type: args.content_type.as_deref(), headers: None };
        wiring::page_reader().article(&page)
    })
    .await??;
    if context.json {
        output::json(&document(&article))?;
    } else {
        output::text(&reading(&article))?;
    }
    Ok(Status::Done)
}

/// A feed has no article to be read, though its markup could be taken for one.
fn expect_no_feed(bytes: &[u8], parser: &dyn FeedParser) -> Result<(), Error> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    if !BEGINNINGS.iter().any(|beginning| text.starts_with(beginning)) {
        return Ok(());
    }
    let Ok(feed) = parser.parse(&FeedInput { max_items: 1, ..FeedInput::new(bytes) }) else { return Ok(()) };
    let detail = format!("this is a feed ({}), no page with an article", feed.format.as_str());
    Err(Error::new(ErrorKind::NoReadableContent, "read the article", detail)
        .with_hint("`headwater feed parse` reads it; give a page that one of its items links to"))
}

/// How feeds begin, and hardly any page.
const BEGINNINGS: [&[u8]; 5] = [b"<?xml", b"<rss", b"<feed", b"<rdf", b"{"];

/// The document of the contract; a field without a value is absent.
fn document(article: &PageArticle) -> Value {
    let mut document = json!({
        "title": article.title,
        "byline": article.byline,
        "published_at": article.published_at,
        "language": article.language,
        "site_name": article.site_name,
        "excerpt": article.excerpt,
        "lead_image": article.lead_image,
        "canonical_url": article.canonical_url,
        "content_html": article.content_html,
        "content_markdown": article.content_markdown,
        "text_length": article.text_length,
    });
    if let Some(fields) = document.as_object_mut() {
        fields.retain(|_, value| !value.is_null() && value.as_str() != Some(""));
    }
    document
}

/// The article as a person reads it.
fn reading(article: &PageArticle) -> String {
    let title = article.title.iter().map(|title| format!("# {title}\n\n"));
    let date = article.published_at.map(|at| at.strftime("%Y-%m-%d").to_string());
    let about: Vec<String> = [article.byline.clone(), date, article.site_name.clone()].into_iter().flatten().collect();
    let about = (!about.is_empty()).then(|| format!("{}\n\n", about.join(" · ")));
    title.chain(about).chain([article.content_markdown.clone()]).collect()
}

#[cfg(test)]
mod tests;
