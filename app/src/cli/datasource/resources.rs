//! Lists what can be selected in a system, one level at a time.

use clap::Args;
use headwater_domain::sync::Resource;

use super::ConfigFile;
use super::bound::Bound;
use crate::cli::Status;
use crate::context::Context;
use crate::output;

/// The arguments of `datasource resources`.
#[derive(Debug, Args)]
pub(crate) struct ResourcesArgs {
    #[command(flatten)]
    config: ConfigFile,

    /// List what stands directly below this resource, instead of the topmost
    #[arg(long, value_name = "ID")]
    parent: Option<String>,
}

/// Prints one level.
pub(crate) async fn run(args: ResourcesArgs, context: &Context) -> anyhow::Result<Status> {
    let bound = Bound::open(&args.config, context)?;
    let resources = bound.connector.list_resources(&bound.config, args.parent.as_deref()).await?;
    if context.json {
        output::json(&resources)?;
    } else {
        for resource in &resources {
            output::text(&line(resource))?;
        }
    }
    Ok(Status::Done)
}

/// A resource on one line; `+` says that there is more below it.
fn line(resource: &Resource) -> String {
    let more = if resource.has_children { "+" } else { " " };
    let description = resource.description.as_deref().map(|text| format!("  ({text})")).unwrap_or_default();
    format!("{more} {}  {}  {}{description}", resource.external_id, resource.resource_type, resource.name)
}
