//! `headwater demo`: how a newcomer sees a whole run, without a network.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use headwater_domain::ErrorKind;
use headwater_domain::synthesis::digest::{Digest, SourceOutcome};
use headwater_domain::synthesis::source::TenantId;
use headwater_domain::synthesis::topic::Topic;
use headwater_ports::Error;
use serde::Deserialize;

use super::{Status, run};
use crate::config::model::ModelSettings;
use crate::config::{Config, data_directory};
use crate::context::{Context, RequestFlags};
use crate::demo::introduction::{introduction, is_meant_to_fail};
use crate::demo::{DemoServer, World, world};
use crate::digest::{Format, Sheet};
use crate::out_file::OutFile;
use crate::sources::{self, Written};
use crate::synthesis::stop::Stop;
use crate::synthesis::{Order, Wanted, pipeline};
use crate::{output, progress, wiring};

/// See a whole run on a small web that the program brings along
///
/// Ten sites with invented articles are served on the loopback address and read as any sites are. What was seen is
/// remembered, so that a second run finds nothing new.
#[derive(Debug, clap::Args)]
pub(crate) struct DemoArgs {
    /// Where the history is kept [default: demo.db in the platform's data directory]
    #[arg(long, value_name = "URL")]
    store: Option<String>,

    /// Where the digest is written; .md, .json and .txt give these forms [default: demo-digest.html beside the history]
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(crate) async fn run(args: DemoArgs, context: &Context) -> anyhow::Result<Status> {
    let world = World::at(context.clock.now())?;
    let server = DemoServer::start(world.clone()).await?;
    output::note(&introduction(&world, server.address()));

    let store = args.store.map_or_else(default_store, Ok)?;
    let path = args.out.map_or_else(|| default_file("demo-digest.html"), Ok)?;
    let out = OutFile::create(&path)?;
    let context = on_loopback(context, &world, &server);
    let digest = read(&context, &store, &world.sources()).await?;

    let shown = if context.json { Format::Json } else { Format::Text };
    // Before anything is shown: a failure is told in one document.
    let closing = closing(&digest, out, &path, &store)?;
    output::page(&Sheet::new(&digest, shown))?;
    if context.json {
        output::note(&closing)
    } else {
        output::text(&format!("\n{closing}"))?
    }
    Ok(status(&digest))
}

/// The run itself: the pipeline of `headwater run`, with the demo's topics.
async fn read(context: &Context, store: &str, urls: &[String]) -> anyhow::Result<Digest> {
    let policy = context.config.run.clone();
    let (ports, sources) = run::ports(context, wiring::store(context, Some(store)).await?, &policy)?;
    let tenant = TenantId::default();
    let written = urls.iter().map(|url| Written::url(url)).collect();
    let sources = run::wanted(Some(written), &sources, &tenant, context).await?;
    let order = Order {
        tenant,
        run_id: sources::new_id(context.clock.now()),
        by_hand: sources.iter().filter_map(Wanted::source).map(|source| source.id.clone()).collect(),
        sources,
        topics: topics()?,
        reader: context.config.reader_policy(),
        policy,
        sinks: Vec::new(),
    };
    Ok(pipeline::run(&ports, &order, progress::for_standard_error().as_ref(), &Stop::on_signal()).await?)
}

/// The context in which the demo's hosts are dialled at the demo's server.
fn on_loopback(context: &Context, world: &World, server: &DemoServer) -> Context {
    let address = server.address();
    let hosts = || world.hosts().into_iter();
    let requests = RequestFlags {
        connect_to: hosts().map(|host| format!("{host}:80:{address}")).collect(),
        allow: hosts().map(str::to_owned).chain([address.to_string()]).collect(),
        proxy: None,
        ..context.requests.clone()
    };
    // The demo needs no network, whatever is configured.
    let config = Config { model: ModelSettings::default(), ..context.config.clone() };
    Context {
        json: context.json,
        clock: context.clock.clone(),
        timer: context.timer.clone(),
        is_clock_fixed: context.is_clock_fixed,
        config,
        requests,
    }
}

/// Writes the digest, and says where it is; where nothing is new the last one stays as it was.
fn closing(digest: &Digest, out: OutFile, path: &Path, store: &str) -> anyhow::Result<String> {
    if digest.articles.is_empty() && !digest.interrupted {
        return Ok(format!(
            "Nothing is new: the history in {store} knows every article of the demo.\n\
             Remove it, or give --store sqlite::memory:, to see everything again."
        ));
    }
    let ending = path.extension().and_then(|ending| ending.to_str());
    let page = Sheet::new(digest, ending.and_then(Format::of_ending).unwrap_or(Format::Text));
    Ok(format!(
        "The digest was written to {}.\nWhat was seen is remembered in {store}: run the demo again, and nothing is new.",
        out.commit_page(&page).map_err(|error| run::settled(error, digest))?.display()
    ))
}

fn default_store() -> anyhow::Result<String> {
    Ok(format!("sqlite:{}", default_file("demo.db")?.display()))
}

/// A file of the demo in the platform's data directory, which is made if need be.
fn default_file(name: &str) -> anyhow::Result<PathBuf> {
    let folder = data_directory()?;
    fs::create_dir_all(&folder)
        .map_err(|error| {
            Error::new(ErrorKind::Store, "make the data directory", error.to_string())
                .with_hint("give --store and --out to keep the demo's files elsewhere")
        })
        .with_context(|| format!("could not make {}", folder.display()))?;
    Ok(folder.join(name))
}

/// One site fails on purpose; any other failure counts.
fn status(digest: &Digest) -> Status {
    let is_failure = |outcome| outcome == SourceOutcome::Failed;
    let unexpected = digest.sources.iter().any(|source| is_failure(source.outcome) && !is_meant_to_fail(&source.url));
    if unexpected || !digest.failures.is_empty() { run::status(digest) } else { Status::Done }
}

fn topics() -> anyhow::Result<Vec<Topic>> {
    #[derive(Deserialize)]
    struct Topics {
        topic: Vec<Topic>,
    }
    let topics: Topics = toml::from_str(world::TOPICS).context("the demo's topics cannot be read")?;
    Ok(topics.topic)
}
