//! `headwater feed discover`: the feeds of a site or of a stored page.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use headwater_domain::feed::discovery::{FeedKind, FeedLink, FeedRole, FoundVia};
use headwater_domain::feed::{FeedDocument, FeedFormat};
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{
    Error, FeedInput, FetchLimits, FetchRequest, FetchResponse, Fetcher, Header, Headers, PageInput,
};
use serde_json::{Value, json};
use url::Url;

use super::super::Status;
use super::fetch::{feed_url, name_and_value};
use crate::context::Context;
use crate::failure::UsageError;
use crate::{input, output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct DiscoverArgs {
    /// The site, or the feed itself
    #[arg(required_unless_present = "page", conflicts_with = "page")]
    url: Option<String>,

    /// Read this stored page instead; no request is made
    #[arg(long, value_name = "FILE", requires = "page_url")]
    page: Option<PathBuf>,

    /// Where the stored page was fetched
    #[arg(long, value_name = "URL", requires = "page")]
    page_url: Option<Url>,

    /// The Content-Type that the stored page was served with
    #[arg(long, value_name = "TYPE", requires = "page")]
    content_type: Option<String>,

    /// A header that the stored page was served with, or one to send with the request
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,
}

/// Runs the command.
pub(crate) async fn run(args: DiscoverArgs, context: &Context) -> anyhow::Result<Status> {
    let headers = args.headers.iter().map(|line| name_and_value(line)).collect::<Result<Vec<_>, _>>()?;
    let (feeds, best) = match (args.url, args.page, args.page_url) {
        (Some(url), ..) => of_site(feed_url(&url)?, &headers, context).await?,
        (_, Some(path), Some(url)) => {
            let bytes = input::read(&path, limits::MAX_BODY_BYTES).map_err(UsageError::from)?;
            let feeds = of_page(bytes, url, args.content_type, sent_with(&headers)).await?;
            let best = feeds.first().map(|feed| feed.url.clone());
            (feeds, best)
        }
        _ => return Err(UsageError("give a URL, or --page with --page-url".to_owned()).into()),
    };
    if context.json {
        output::json(&document(&feeds, best.as_ref()))?;
    } else {
        show(&feeds, best.as_ref())?;
    }
    Ok(Status::Done)
}

/// The feeds of a site. The best one is the first of three that parses; a source that is a feed costs one request.
async fn of_site(
    url: PrivateUrl,
    headers: &[(&str, &str)],
    context: &Context,
) -> anyhow::Result<(Vec<FeedLink>, Option<PrivateUrl>)> {
    let fetcher = wiring::fetcher(context)?;
    let limits = context.config.read_limits().fetch;
    let response = fetch(&fetcher, limits, url, headers).await?;
    let final_url = response.final_url.clone();
    if let Some(feed) = parsed(&response).await? {
        let link = FeedLink {
            url: final_url.clone(),
            kind: kind_of(feed.format),
            title: feed.title,
            role: FeedRole::Main,
            via: FoundVia::Document,
        };
        return Ok((vec![link], Some(final_url)));
    }
    let content_type = response.headers.text("content-type").map(str::to_owned);
    let feeds =
        of_page(response.body.to_vec(), final_url.expose().clone(), content_type, response.headers.clone()).await?;
    for candidate in feeds.iter().filter(|feed| feed.via != FoundVia::Document).take(MAX_CANDIDATES) {
        let Ok(answer) = fetch(&fetcher, limits, candidate.url.clone(), &[]).await else { continue };
        if parsed(&answer).await?.is_some() {
            let best = candidate.url.clone();
            return Ok((feeds, Some(best)));
        }
    }
    if feeds.is_empty() && response.body_cut {
        let detail = format!("the transfer of {final_url} broke off before a feed was named");
        return Err(Error::new(ErrorKind::Connect, "discover feeds", detail).into());
    }
    Ok((feeds, None))
}

async fn of_page(
    bytes: Vec<u8>,
    url: Url,
    content_type: Option<String>,
    headers: Headers,
) -> anyhow::Result<Vec<FeedLink>> {
    let read = move || {
        let content_type = content_type.as_deref();
        wiring::page_reader().feeds(&PageInput { bytes: &bytes, url: &url, content_type, headers: Some(&headers) })
    };
    Ok(tokio::task::spawn_blocking(read).await??)
}

async fn fetch(
    fetcher: &Arc<dyn Fetcher>,
    limits: FetchLimits,
    url: PrivateUrl,
    headers: &[(&str, &str)],
) -> headwater_ports::Result<FetchResponse> {
    // As with `feed fetch`: what the user sends goes to the site's own origin only.
    let header = |(name, value): &(&str, &str)| Header {
        name: (*name).to_owned(),
        value: Secret::new(value.as_bytes().to_vec()),
        secret: true,
    };
    let headers = headers.iter().map(header).collect();
    let request = FetchRequest { limits, headers, ..FetchRequest::get(url) };
    let response = fetcher.fetch(request).await.outcome?;
    if (200..300).contains(&response.status) {
        return Ok(response);
    }
    let kind = match response.status {
        410 => ErrorKind::Gone,
        429 => ErrorKind::Throttled,
        401 | 403 => ErrorKind::Auth,
        _ => ErrorKind::HttpStatus,
    };
    Err(Error::new(kind, "discover feeds", format!("{} answered {}", response.final_url, response.status)))
}

/// The feed that a body is, if it is one.
async fn parsed(response: &FetchResponse) -> anyhow::Result<Option<FeedDocument>> {
    let response = response.clone();
    let parse = move || {
        let parser = wiring::feed_parser();
        let input = FeedInput {
            base_url: Some(response.final_url.expose()),
            content_type: response.headers.text("content-type"),
            body_cut: response.body_cut,
            ..FeedInput::new(&response.body)
        };
        if parser.recognises(&input) { parser.parse(&input).ok() } else { None }
    };
    Ok(tokio::task::spawn_blocking(parse).await?)
}

fn kind_of(format: FeedFormat) -> FeedKind {
    match format {
        FeedFormat::Atom10 | FeedFormat::Atom03 => FeedKind::Atom,
        FeedFormat::Json10 | FeedFormat::Json11 => FeedKind::Json,
        _ => FeedKind::Rss,
    }
}

fn document(feeds: &[FeedLink], best: Option<&PrivateUrl>) -> Value {
    let feeds: Vec<Value> = feeds
        .iter()
        .map(|feed| {
            let mut entry = json!({
                "url": feed.url,
                "type": feed.kind.as_str(),
                "role": feed.role.as_str(),
                "via": feed.via.as_str(),
            });
            if let Some(title) = &feed.title {
                entry["title"] = title.as_str().into();
            }
            entry
        })
        .collect();
    json!({ "feeds": feeds, "best": best })
}

fn show(feeds: &[FeedLink], best: Option<&PrivateUrl>) -> anyhow::Result<()> {
    if feeds.is_empty() {
        output::note("no feed found");
    }
    for feed in feeds {
        let mark = if Some(&feed.url) == best { "*" } else { " " };
        let title = feed.title.as_deref().unwrap_or_default();
        let line = format!("{mark} {}  {} {}  {title}", feed.url, feed.role.as_str(), feed.kind.as_str());
        output::text(line.trim_end())?;
    }
    Ok(())
}

fn sent_with(headers: &[(&str, &str)]) -> Headers {
    let mut sent = Headers::default();
    for (name, value) in headers {
        sent.append(name, value.as_bytes());
    }
    sent
}

/// Candidates that are tried before the search is given up.
const MAX_CANDIDATES: usize = 3;

#[cfg(test)]
mod tests;
