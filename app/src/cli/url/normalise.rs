//! `headwater url normalise`: writes URLs in normal form and in readable form.

use clap::Args;
use headwater_domain::ErrorKind;
use headwater_domain::net::{display_form, normal_form};
use headwater_domain::secret::redact_url;
use serde_json::json;
use url::Url;

use super::super::Status;
use super::UrlList;
use crate::context::Context;
use crate::output;

/// What the command is given.
#[derive(Debug, Args)]
pub(crate) struct NormaliseArgs {
    #[command(flatten)]
    list: UrlList,
}

/// Runs the command. Secrets in the URLs are not printed.
pub(crate) async fn run(args: NormaliseArgs, _context: &Context) -> anyhow::Result<Status> {
    let (mut sound, mut broken) = (0, 0);
    args.list.for_each(|text| {
        let shown = redact_url(text);
        match Url::parse(text) {
            Ok(url) => {
                sound += 1;
                let (normalised, display) = (normal_form(&url), display_form(&url));
                output::json(
                    &json!({ "url": shown, "normalised": redact_url(&normalised), "display": redact_url(&display) }),
                )
            }
            Err(error) => {
                broken += 1;
                let problem = json!({ "code": ErrorKind::InvalidUrl.code(), "message": error.to_string() });
                output::json(&json!({ "url": shown, "error": problem }))
            }
        }
    })?;
    Ok(match (sound, broken) {
        (_, 0) => Status::Done,
        (0, _) => Status::Failed,
        _ => Status::Partly,
    })
}
