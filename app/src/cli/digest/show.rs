//! `headwater digest show`: the digest of a run, again and in any form.

use std::path::PathBuf;

use headwater_domain::ErrorKind;
use headwater_domain::synthesis::history::RunRecord;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{ArticleStore, Error};

use crate::cli::Status;
use crate::context::Context;
use crate::digest::{Format, Sheet, stored};
use crate::out_file::OutFile;
use crate::{output, wiring};

/// Show the digest of a run again
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// The run; without it, the latest
    #[arg(value_name = "RUN_ID")]
    run_id: Option<String>,

    /// The form of the digest [default: text, or as the ending of --out says]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write the digest to this file instead of standard output
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Runs the command.
pub(crate) async fn run(args: ShowArgs, context: &Context) -> anyhow::Result<Status> {
    let format = Format::choose(args.format, args.out.as_deref(), context.form())?;
    let out = args.out.as_deref().map(OutFile::create).transpose()?;
    let store = wiring::store(context, args.store.as_deref()).await?;
    let record = record(store.as_ref(), args.run_id.as_deref()).await?;
    let digest = stored::parse(&record.digest_json).map_err(|error| {
        Error::new(ErrorKind::Store, "read digest", "the store holds a digest that this version cannot read")
            .with_source(error)
    })?;
    let page = Sheet::new(&digest, format);
    match out {
        Some(out) => {
            let path = out.commit_page(&page)?;
            output::note(&format!("Written to {}.", path.display()));
        }
        None => output::page(&page)?,
    }
    Ok(Status::Done)
}

async fn record(store: &dyn ArticleStore, run_id: Option<&str>) -> Result<RunRecord, Error> {
    let tenant = TenantId::default();
    let record = match run_id {
        Some(run_id) => store.run(&tenant, run_id).await?,
        None => store.runs(&tenant, 1).await?.pop(),
    };
    record.ok_or_else(|| {
        Error::new(ErrorKind::Store, "find the run", "the store holds no such run")
            .with_hint("`headwater digest list` names the runs")
    })
}
