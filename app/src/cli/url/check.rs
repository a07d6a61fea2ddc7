//! `headwater url check`: says whether URLs may be fetched, without a request.

use clap::Args;
use headwater_domain::ErrorKind;
use headwater_domain::net::UrlGuard;
use headwater_domain::secret::redact_url;
use serde_json::{Value, json};
use url::Url;

use super::super::Status;
use super::UrlList;
use crate::context::Context;
use crate::{output, wiring};

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    list: UrlList,
}

/// Runs the command. A refused URL is an answer, not a failure.
pub(crate) async fn run(args: CheckArgs, context: &Context) -> anyhow::Result<Status> {
    let guard = UrlGuard::new(wiring::exemptions(context)?);
    args.list.for_each(|text| output::json(&verdict(&guard, text)))?;
    Ok(Status::Done)
}

fn verdict(guard: &UrlGuard, text: &str) -> Value {
    let shown = redact_url(text);
    let refusal = match Url::parse(text) {
        Ok(url) => guard.judge_url(&url).err().map(|refusal| (refusal.kind(), refusal.to_string())),
        Err(error) => Some((ErrorKind::InvalidUrl, error.to_string())),
    };
    match refusal {
        None => json!({ "url": shown, "allowed": true }),
        Some((kind, reason)) => json!({ "url": shown, "allowed": false, "code": kind.code(), "reason": reason }),
    }
}
