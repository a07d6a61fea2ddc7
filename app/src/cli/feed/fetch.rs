//! Makes one attempt at a feed, with a memory in a file.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use headwater_connectors::rss::{FeedMemory, FeedReader, FeedReading, FeedRequest, ReadingKind};
use headwater_domain::ErrorKind;
use headwater_domain::feed::FeedItem;
use headwater_domain::feed::identity::item_name;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::{Error, Sanitiser};
use jiff::Timestamp;
use serde::Serialize;
use url::Url;

use super::json::{DocumentJson, document_json};
use super::kept::Kept;
use crate::cli::Status;
use crate::context::Context;
use crate::failure::UsageError;
use crate::{output, wiring};

/// The arguments of `feed fetch`.
#[derive(Debug, Args)]
pub(crate) struct FetchArgs {
    /// The feed; user name and password in it are sent as Basic authentication
    url: String,

    /// Keep in this file what the next attempt must know
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Send this header, to the feed's own origin only
    #[arg(long = "header", value_name = "NAME: VALUE")]
    headers: Vec<String>,

    /// The longest time for each exchange
    #[arg(long, value_name = "SECONDS")]
    timeout: Option<f64>,

    /// Forget failures and waits, and revive a feed that is gone, before the attempt
    #[arg(long)]
    reset: bool,
}

/// The answer.
#[derive(Serialize)]
struct Answer<'a> {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_status: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    final_url: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed: Option<DocumentJson<'a>>,
    #[serde(flatten)]
    counts: Option<Counts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Reason<'a>>,
    next_attempt_at: Option<Timestamp>,
    circuit: &'static str,
    requests: u32,
}

#[derive(Serialize)]
struct Counts {
    new: usize,
    updated: usize,
    aliased: usize,
    unchanged: usize,
    possible_gap: bool,
    new_guids: Vec<String>,
    updated_guids: Vec<String>,
}

#[derive(Serialize)]
struct Reason<'a> {
    code: ErrorKind,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

/// Makes the attempt, keeps the memory, prints what came of it.
pub(crate) async fn run(args: FetchArgs, context: &Context) -> anyhow::Result<Status> {
    let request = request(&args)?;
    let reader = reader(&args, context)?;
    let mut kept: Kept<FeedMemory> = Kept::open(args.state.as_deref())?;
    if args.reset {
        kept.value.state.reset_circuit();
    }
    let (reading, memory) = reader.read(&request, std::mem::take(&mut kept.value)).await;
    if reading.kind != ReadingKind::Skipped {
        kept.value = memory;
        kept.save()?;
    }
    if context.json {
        let sanitiser = wiring::sanitiser();
        output::json(&answer(&reading, sanitiser.as_ref(), context.clock.now()))?;
    } else {
        output::text(&summary(&reading))?;
    }
    Ok(if reading.kind == ReadingKind::Error { Status::Failed } else { Status::Done })
}

fn reader(args: &FetchArgs, context: &Context) -> anyhow::Result<FeedReader> {
    let mut limits = context.config.read_limits();
    if let Some(seconds) = args.timeout {
        limits.fetch.timeout = timeout(seconds)?;
    }
    let fetcher = wiring::fetcher(context)?;
    let policy = context.config.reader_policy();
    Ok(FeedReader::new(fetcher, wiring::feed_parser(), context.clock.clone(), policy).with_limits(limits))
}

fn timeout(seconds: f64) -> Result<Duration, UsageError> {
    let timeout = Duration::try_from_secs_f64(seconds).ok();
    timeout
        .filter(|timeout| (SHORTEST..=LONGEST).contains(timeout))
        .ok_or_else(|| UsageError("--timeout takes seconds, from a thousandth to 86400 (a day)".to_owned()))
}

/// The URL is parsed here and not by the command line's own parser, which would show it in its message.
fn request(args: &FetchArgs) -> anyhow::Result<FeedRequest> {
    let mut request = FeedRequest::new(feed_url(&args.url)?);
    for header in &args.headers {
        let (name, value) = name_and_value(header)?;
        request = request.with_header(name, value);
    }
    Ok(request)
}

/// The two parts of a header; what is none is not shown, since it may be half a secret.
pub(super) fn name_and_value(header: &str) -> Result<(&str, &str), UsageError> {
    let (name, value) = header
        .split_once(':')
        .filter(|(name, _)| !name.trim().is_empty())
        .ok_or_else(|| UsageError("--header takes 'Name: value'".to_owned()))?;
    Ok((name.trim(), value.trim()))
}

/// A URL from the command line, which no message may show as it is.
pub(super) fn feed_url(text: &str) -> Result<PrivateUrl, Error> {
    let refused = |detail: String| Error::new(ErrorKind::InvalidUrl, "read the URL", detail);
    let url = Url::parse(text.trim()).map_err(|error| refused(error.to_string()))?;
    match url.scheme() {
        "http" | "https" => Ok(PrivateUrl::new(url)),
        // `user:password@host` has the scheme `user`, to the letter.
        _ => Err(refused("the URL does not begin with https:// or http://".to_owned())),
    }
}

fn answer<'a>(reading: &'a FeedReading, sanitiser: &'a dyn Sanitiser, now: Timestamp) -> Answer<'a> {
    Answer {
        kind: reading.kind.as_str(),
        http_status: reading.http_status,
        final_url: reading.final_url.as_ref().map(PrivateUrl::masked),
        feed: reading.document.as_ref().map(|document| document_json(document, sanitiser, now)),
        counts: counts(reading),
        error: reading.error.as_ref().map(reason),
        next_attempt_at: reading.next_attempt_at,
        circuit: reading.circuit.as_str(),
        requests: reading.requests,
    }
}

fn counts(reading: &FeedReading) -> Option<Counts> {
    let items: &[FeedItem] = &reading.document.as_ref()?.items;
    let names = |places: &[usize]| places.iter().map(|&place| item_name(&items[place])).collect();
    let applied = &reading.applied;
    Some(Counts {
        new: applied.new.len(),
        updated: applied.updated.len(),
        aliased: applied.aliased.len(),
        unchanged: applied.unchanged,
        possible_gap: applied.possible_gap,
        new_guids: names(&applied.new),
        updated_guids: names(&applied.updated),
    })
}

fn reason(error: &Error) -> Reason<'_> {
    Reason { code: error.kind, message: error.to_string(), hint: error.hint.as_deref() }
}

/// One line for people.
fn summary(reading: &FeedReading) -> String {
    let mut line = match (&reading.error, counts(reading)) {
        (Some(error), _) => format!("{}: {}: {error}", reading.kind.as_str(), error.kind),
        (None, Some(counts)) => {
            let Counts { new, updated, aliased, unchanged, .. } = counts;
            let gap = if counts.possible_gap { ", perhaps others were missed" } else { "" };
            format!("ok: {new} new, {updated} updated, {aliased} under new names, {unchanged} unchanged{gap}")
        }
        (None, None) => "not modified".to_owned(),
    };
    if let Some(next) = reading.next_attempt_at {
        line.push_str(&format!("; next attempt at {next}"));
    }
    line
}

/// Nothing can be had in less.
const SHORTEST: Duration = Duration::from_millis(1);

/// Whoever waits longer has forgotten a point.
const LONGEST: Duration = Duration::from_secs(86_400);
