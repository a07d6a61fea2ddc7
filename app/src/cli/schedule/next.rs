//! How `schedule next` tells when an expression fires.

use jiff::Timestamp;
use serde::Serialize;

use crate::cli::Status;
use crate::context::Context;
use crate::output;
use crate::schedule::Schedule;

/// What `schedule next` is given.
#[derive(Debug, clap::Args)]
pub(crate) struct NextArgs {
    /// Five cron fields, six with the seconds in front, a name such as @daily, or @every 15m
    #[arg(value_name = "EXPR", allow_hyphen_values = true)]
    expression: String,

    /// The time zone whose clock the fields mean
    #[arg(long, value_name = "ZONE", default_value = "UTC")]
    tz: String,

    /// Tell the times after this one [default: now]
    #[arg(long, value_name = "TIME")]
    after: Option<Timestamp>,

    /// How many times
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    count: u32,
}

#[derive(Debug, Serialize)]
struct TimesJson {
    times: Vec<Timestamp>,
}

/// Works the times out and prints them.
pub(crate) async fn run(args: NextArgs, context: &Context) -> anyhow::Result<Status> {
    let schedule = Schedule::parse(&args.expression, &args.tz)?;
    let after = args.after.unwrap_or_else(|| context.clock.now());
    let following = std::iter::successors(schedule.next_after(after), |at| schedule.next_after(*at));
    let times: Vec<Timestamp> = following.take(usize::try_from(args.count).unwrap_or(usize::MAX)).collect();
    if context.json {
        output::json(&TimesJson { times })?;
    } else {
        times.iter().try_for_each(|at| output::text(&at.to_string()))?;
    }
    Ok(Status::Done)
}
