//! Has a site make a feed link, by the rule for it, and finds the link in the answer.

use std::path::PathBuf;

use clap::Args;
use headwater_domain::feed::link_rules::{LinkRequest, LinkRules, build_rss_link_request, extract_rss_link};
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{Error, FetchRequest, Header, Method};
use serde_json::json;
use url::Url;

use super::fetch::{feed_url, name_and_value};
use crate::cli::Status;
use crate::context::Context;
use crate::failure::UsageError;
use crate::{input, output, wiring};

/// Have a site make a feed link
///
/// Trackers make the link of a feed on request, and put a key of yours into it. Which form is posted and where the answer has
/// the link is said by rules that the configuration can add to (fetch.link_rules).
#[derive(Debug, Args)]
pub(crate) struct LinkArgs {
    /// The site
    #[arg(value_name = "URL")]
    site: String,

    /// Send this header, to the site only: mostly 'Cookie: …', without which a site knows nobody
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,

    /// Look for the link in this stored answer; no request is made
    #[arg(long, value_name = "FILE")]
    page: Option<PathBuf>,

    /// Show the link with the key in it
    #[arg(long)]
    with_secret: bool,
}

/// Runs the command.
pub(crate) async fn run(args: LinkArgs, context: &Context) -> anyhow::Result<Status> {
    let site = feed_url(&args.site)?;
    let rules = &context.config.fetch.link_rules;
    let form = build_rss_link_request(rules, site.expose()).ok_or_else(|| {
        let detail = format!("the rule for {site} leads away from the site");
        failure(ErrorKind::InvalidConfig, detail).with_hint("`path` in fetch.link_rules is relative to the site")
    })?;
    let link = match &args.page {
        Some(page) => {
            let answer = input::read(page, limits::MAX_BODY_BYTES).map_err(UsageError::from)?;
            find(rules, &form.url, &answer)?
        }
        None => ask(rules, form, &args.headers, context).await?,
    };
    let shown = if args.with_secret { link.expose().to_string() } else { link.redacted() };
    match context.json {
        true => output::json(&json!({ "link": shown, "has_secret": link.has_secret() }))?,
        false => output::text(&shown)?,
    }
    if link.has_secret() && !args.with_secret {
        output::note("the link holds a key, which --with-secret shows");
    }
    Ok(Status::Done)
}

async fn ask(
    rules: &LinkRules,
    form: LinkRequest,
    headers: &[String],
    context: &Context,
) -> anyhow::Result<PrivateUrl> {
    let mut request = FetchRequest::get(PrivateUrl::new(form.url)).header("content-type", FORM);
    request.method = Method::Post(form.body.into());
    request.limits = context.config.read_limits().fetch;
    for header in headers {
        let (name, value) = name_and_value(header)?;
        let value = Secret::new(value.as_bytes().to_vec());
        request.headers.push(Header { name: name.to_owned(), value, secret: true });
    }
    let response = wiring::fetcher(context)?.fetch(request).await.outcome?;
    if !(200..300).contains(&response.status) {
        let detail = format!("{} answered with status {}", response.final_url, response.status);
        return Err(failure(ErrorKind::HttpStatus, detail).into());
    }
    Ok(find(rules, response.final_url.expose(), &response.body)?)
}

fn find(rules: &LinkRules, page: &Url, answer: &[u8]) -> Result<PrivateUrl, Error> {
    extract_rss_link(rules, page, &String::from_utf8_lossy(answer)).ok_or_else(|| {
        let class = &rules.rule(page).class;
        failure(ErrorKind::NotAFeed, format!("the answer holds no link of the class {class:?} to the same site"))
            .with_hint("log in with --header 'Cookie: …', or add a rule for the site to fetch.link_rules")
    })
}

fn failure(kind: ErrorKind, detail: String) -> Error {
    Error::new(kind, "make the feed link", detail)
}

const FORM: &str = "application/x-www-form-urlencoded";
