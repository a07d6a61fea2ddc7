//! `headwater run --watch`: runs by a schedule, until somebody stops it.

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Error, SlotStore, Store};

use super::{RunArgs, Runner, status};
use crate::cli::Status;
use crate::context::Context;
use crate::failure::{self, UsageError};
use crate::schedule::Schedule;
use crate::sources;
use crate::synthesis::stop::Stop;
use crate::watch::{RunEnd, Watch};

/// What `--watch` is given.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct WatchFlags {
    /// Run by a schedule until stopped; Ctrl-C ends it at once while it waits, and cleanly while it runs
    #[arg(long)]
    pub(super) watch: bool,

    /// When: five cron fields, six with the seconds in front, a name such as @daily, or @every 1h
    /// [default: watch.schedule of the configuration]
    #[arg(long, value_name = "EXPR", requires = "watch")]
    schedule: Option<String>,

    /// The time zone whose clock the schedule means [default: watch.time_zone, or UTC]
    #[arg(long, value_name = "ZONE", requires = "watch")]
    tz: Option<String>,
}

/// Runs whenever the schedule says so.
pub(super) async fn run(args: &RunArgs, context: &Context, store: Arc<dyn Store>) -> anyhow::Result<Status> {
    let config = &context.config.watch;
    let expression = args.watch.schedule.as_ref().or(config.schedule.as_ref()).ok_or_else(|| {
        Error::new(ErrorKind::InvalidSchedule, "watch", "no schedule is set")
            .with_hint("say when with --schedule '0 7 * * *', or in the configuration as watch.schedule")
    })?;
    let schedule = Schedule::parse(expression, args.watch.tz.as_ref().unwrap_or(&config.time_zone))?;
    if context.is_clock_fixed {
        return Err(UsageError("--watch needs a clock that runs: --now stops it".to_owned()).into());
    }
    let stop = Stop::on_signal();
    let runner = Runner::new(args, context, Arc::clone(&store))?;
    let watch = Watch {
        schedule,
        name: config.name.clone(),
        tenant: TenantId::default(),
        holder: sources::new_id(context.clock.now()),
        slots: store as Arc<dyn SlotStore>,
        clock: Arc::clone(&context.clock),
        timer: Arc::clone(&context.timer),
    };
    watch
        .run(&stop, async || match runner.run(&stop).await {
            Ok(_) if stop.is_requested() => RunEnd::Stopped,
            Ok((digest, _)) if status(&digest) == Status::Failed => RunEnd::Failed,
            Ok(_) => RunEnd::Done,
            Err(error) => {
                failure::report(&error, context.form());
                RunEnd::Failed
            }
        })
        .await;
    Ok(Status::Done)
}
