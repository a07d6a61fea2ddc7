//! How a document is exported: a task is begun, looked at until it is done, and its file fetched.

use std::time::Duration;

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};

use super::api::{Api, Found};
use super::codes::{JobStatus, job_status};
use super::config::OPERATION;

/// What an export came to.
#[derive(Debug)]
pub(super) enum Exported {
    /// The file.
    File(Bytes),
    /// The document is gone.
    Missing,
    /// The document may not be exported.
    Forbidden,
    /// The document is too large.
    TooLarge,
}

/// Exports a document. A task whose file is gone when it is fetched, or that fails in a way that may pass, is begun anew.
///
/// # Errors
/// `timeout`, if the vendor does not come to an end; what requests can end with.
pub(super) async fn export(api: &Api, token: &str, kind: &str, extension: &str) -> Result<Exported> {
    let mut last = None;
    for _ in 0..TASKS {
        match task(api, token, kind, extension).await? {
            Attempt::Over(exported) => return Ok(exported),
            Attempt::Again(error) => last = Some(error),
        }
    }
    Err(last.unwrap_or_else(|| Error::new(ErrorKind::HttpStatus, OPERATION, "the export did not work")))
}

enum Attempt {
    Over(Exported),
    Again(Error),
}

async fn task(api: &Api, token: &str, kind: &str, extension: &str) -> Result<Attempt> {
    let ticket = match api.begin_export(token, kind, extension).await? {
        Found::Here(ticket) => ticket.ticket,
        Found::Missing => return Ok(Attempt::Over(Exported::Missing)),
        Found::Hidden(_) => return Ok(Attempt::Over(Exported::Forbidden)),
    };
    for look in 0..LOOKS {
        let result = match api.export(&ticket, token).await? {
            Found::Here(result) => result,
            Found::Missing => return Ok(Attempt::Over(Exported::Missing)),
            Found::Hidden(_) => return Ok(Attempt::Over(Exported::Forbidden)),
        };
        let failed = |what: &str| {
            Error::new(ErrorKind::HttpStatus, OPERATION, format!("{what} (job status {})", result.job_status))
        };
        match job_status(result.job_status) {
            JobStatus::Pending => api.paces.export.sleep(wait(look)).await,
            JobStatus::Done => return file(api, &result.file_token).await,
            JobStatus::Missing => return Ok(Attempt::Over(Exported::Missing)),
            JobStatus::Forbidden => return Ok(Attempt::Over(Exported::Forbidden)),
            JobStatus::TooLarge => return Ok(Attempt::Over(Exported::TooLarge)),
            JobStatus::Passing => return Ok(Attempt::Again(failed("the export failed"))),
            JobStatus::Refused => return Err(failed("Feishu would not export the document")),
        }
    }
    Ok(Attempt::Again(Error::new(ErrorKind::Timeout, OPERATION, "the export did not come to an end")))
}

async fn file(api: &Api, token: &str) -> Result<Attempt> {
    match api.exported(token).await {
        Ok(Found::Here((bytes, _))) => Ok(Attempt::Over(Exported::File(bytes))),
        Ok(Found::Hidden(_)) => Ok(Attempt::Over(Exported::Forbidden)),
        Ok(Found::Missing) => Ok(Attempt::Again(gone())),
        // Ten minutes after its task a file is gone, which the vendor calls a wrong parameter.
        Err(error) if error.kind == ErrorKind::HttpStatus => Ok(Attempt::Again(error)),
        Err(error) => Err(error),
    }
}

fn gone() -> Error {
    Error::new(ErrorKind::HttpStatus, OPERATION, "the exported file was gone before it was fetched")
}

/// First looks come soon, later ones as the vendor asks.
fn wait(look: u32) -> Duration {
    if look == 0 { Duration::from_secs(1) } else { Duration::from_secs(2) }
}

/// Looks at one task: some ten minutes.
const LOOKS: u32 = 300;

/// Tasks for one document in one run.
const TASKS: u32 = 2;
