//! `headwater digest deliver`: digests to the sinks that do not have them.

use std::sync::Arc;

use serde_json::json;

use crate::cli::Status;
use crate::context::Context;
use crate::deliver::{Again, Delivered, Deliverer};
use crate::failure::UsageError;
use crate::{output, wiring};

/// Deliver digests to the sinks that do not have them
///
/// Exit status: 0 every sink has what it is to have; 3 a sink failed, and its name is told.
#[derive(Debug, clap::Args)]
pub(crate) struct DeliverArgs {
    /// The run; without it, whatever is still owed
    #[arg(value_name = "RUN_ID")]
    run_id: Option<String>,

    /// Only to this sink
    #[arg(long, value_name = "NAME")]
    sink: Vec<String>,

    /// Also to those that have it already
    #[arg(long, requires = "run_id")]
    again: bool,

    /// The store [default: a file in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// Runs the command.
pub(crate) async fn run(args: DeliverArgs, context: &Context) -> anyhow::Result<Status> {
    let mut deliverer = wiring::deliverer(context, wiring::store(context, args.store.as_deref()).await?)?;
    if deliverer.sinks.is_empty() {
        return Err(
            UsageError("no sinks are configured: write [[deliver]] in the configuration file".to_owned()).into()
        );
    }
    only(&mut deliverer, &args.sink)?;
    let again = if args.again { Again::Yes } else { Again::No };
    let delivered = match &args.run_id {
        Some(run_id) => deliverer.deliver_run(run_id, again).await?,
        None => deliverer.deliver_owed(None).await?,
    };
    if context.json {
        output::json(&json!({ "deliveries": delivered }))?;
    } else if delivered.is_empty() {
        output::text("Nothing is owed to any sink.")?;
    }
    for one in delivered.iter().filter(|_| !context.json) {
        output::text(&one.line())?;
    }
    Ok(status(&delivered))
}

/// How deliveries translate into an exit status.
pub(crate) fn status(delivered: &[Delivered]) -> Status {
    if delivered.iter().any(|one| one.error.is_some()) { Status::Partly } else { Status::Done }
}

/// What a run reaches its sinks through; none where it has none.
pub(crate) fn of_run(context: &Context, store: Arc<dyn headwater_ports::Store>) -> anyhow::Result<Option<Deliverer>> {
    Ok(Some(wiring::deliverer(context, store)?).filter(|deliverer| !deliverer.sinks.is_empty()))
}

fn only(deliverer: &mut Deliverer, names: &[String]) -> Result<(), UsageError> {
    let known = deliverer.names();
    if let Some(unknown) = names.iter().find(|name| !known.contains(name)) {
        return Err(UsageError(format!("there is no sink {unknown:?}; there are: {}", known.join(", "))));
    }
    if !names.is_empty() {
        deliverer.sinks.retain(|sink| names.contains(&sink.name));
    }
    Ok(())
}
