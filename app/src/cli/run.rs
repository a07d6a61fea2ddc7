//! `headwater run`: from sources to a digest of what is new.

mod watch;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::digest::{Digest, Failure};
use headwater_domain::synthesis::policy::RunPolicy;
use headwater_domain::synthesis::source::{Source, SourceId, TenantId, source_key};
use headwater_ports::{DeliveryStore, Error, FeedStore, SourceStore, Store};

use self::watch::WatchFlags;
use super::Status;
use super::digest::deliver;
use crate::context::Context;
use crate::deliver::{Delivered, Deliverer};
use crate::digest::{self, Format, Sheet};
use crate::failure::UsageError;
use crate::out_file::OutFile;
use crate::prune::{Cutoffs, prune};
use crate::secrets::SealedSources;
use crate::sources::{self, Written, list, topics};
use crate::synthesis::stop::Stop;
use crate::synthesis::{Order, Ports, Wanted, pipeline};
use crate::{output, progress, wiring};

/// Read sources and bring together what is new
///
/// Exit status: 0 all was read; 3 some sources or articles failed, or the run was stopped; 1 no source could be read;
/// 2 the command line or one of its files cannot be understood. Ctrl-C ends a run cleanly: what was read until then is
/// shown and remembered. A second Ctrl-C ends it at once, and nothing is remembered.
#[derive(Debug, clap::Args)]
pub(crate) struct RunArgs {
    /// Sites or feeds to read; without any, those in the store
    #[arg(value_name = "URL")]
    urls: Vec<String>,

    /// Read the sources in this file too (TOML or OPML)
    #[arg(long, value_name = "FILE")]
    sources: Vec<PathBuf>,

    /// Keep what is about the topics in this file (TOML); without it, everything new
    #[arg(long, value_name = "FILE")]
    topics: Option<PathBuf>,

    /// Take at most so many new links from a source [default: 20]
    #[arg(long, value_name = "N")]
    max_links: Option<usize>,

    /// Read every source, due or not; only what a server itself asked for is waited for
    #[arg(long)]
    refresh: bool,

    /// Deliver the digest to none of the configured sinks
    #[arg(long)]
    no_deliver: bool,

    #[command(flatten)]
    watch: WatchFlags,

    /// Where sources and history are kept, for example sqlite:FILE or sqlite::memory:
    #[arg(long, value_name = "URL")]
    store: Option<String>,

    /// The form of the digest [default: text, or as the ending of --out says]
    #[arg(long, value_enum)]
    format: Option<Format>,

    /// Write the digest to this file instead of standard output
    #[arg(long, value_name = "PATH")]
    out: Option<PathBuf>,
}

/// Runs the command.
pub(crate) async fn run(args: RunArgs, context: &Context) -> anyhow::Result<Status> {
    // Mistakes in what was given are told before a store is made.
    Format::choose(args.format, args.out.as_deref(), context.form())?;
    written(&args)?;
    args.topics.as_deref().map(topics::read).transpose()?;
    let store = wiring::store(context, args.store.as_deref()).await?;
    if args.watch.watch {
        return watch::run(&args, context, store).await;
    }
    let (digest, delivery) = Runner::new(&args, context, store)?.run(&Stop::on_signal()).await?;
    Ok(match status(&digest) {
        Status::Done => delivery,
        worse => worse,
    })
}

/// Delivers the digest, and says what failed. That is no reason not to show it.
async fn delivered(deliverer: Option<&Deliverer>, digest: &Digest) -> (Vec<Delivered>, Status) {
    let Some(deliverer) = deliverer else { return (Vec::new(), Status::Done) };
    match deliverer.deliver_owed(Some(digest)).await {
        Ok(deliveries) => {
            for failed in deliveries.iter().filter(|one| one.error.is_some()) {
                output::note(&format!("{}; `headwater digest deliver` tries again", failed.line()));
            }
            let status = deliver::status(&deliveries);
            (deliveries, status)
        }
        Err(error) => {
            output::note(&format!("error: the digest was not delivered: {error} ({})", error.kind));
            (Vec::new(), Status::Partly)
        }
    }
}

/// A digest that could not be written is not lost.
pub(crate) fn settled(error: Error, digest: &Digest) -> Error {
    let run_id = &digest.run_id;
    error.with_hint(format!("the run is remembered: `headwater digest show {run_id} --out PATH` writes its digest"))
}

/// Carries out runs, one after the other, on one store.
struct Runner<'a> {
    args: &'a RunArgs,
    context: &'a Context,
    format: Format,
    policy: RunPolicy,
    ports: Ports,
    sources: Arc<SealedSources>,
    store: Arc<dyn Store>,
    deliverer: Option<Deliverer>,
}

impl<'a> Runner<'a> {
    fn new(args: &'a RunArgs, context: &'a Context, store: Arc<dyn Store>) -> anyhow::Result<Self> {
        let mut policy = context.config.run.clone();
        policy.max_links = args.max_links.unwrap_or(policy.max_links);
        let format = Format::choose(args.format, args.out.as_deref(), context.form())?;
        let (ports, sources) = ports(context, Arc::clone(&store), &policy)?;
        let deliverer = if args.no_deliver { None } else { deliver::of_run(context, Arc::clone(&store))? };
        Ok(Self { args, context, format, policy, ports, sources, store, deliverer })
    }

    /// Runs once, with the files as they stand now, delivers the digest, and shows it. Tells how the delivery went as well.
    async fn run(&self, stop: &Stop) -> anyhow::Result<(Digest, Status)> {
        let Self { args, context, ports, .. } = self;
        let written = written(args)?;
        let topics = args.topics.as_deref().map(topics::read).transpose()?.unwrap_or_default();
        let out = args.out.as_deref().map(OutFile::create).transpose()?;
        let tenant = TenantId::default();
        let sources = wanted(written, &self.sources, &tenant, context).await?;
        let order = Order {
            tenant,
            run_id: sources::new_id(context.clock.now()),
            by_hand: by_hand(&sources, args),
            sources,
            topics,
            reader: context.config.reader_policy(),
            policy: self.policy.clone(),
            sinks: self.deliverer.as_ref().map(Deliverer::names).unwrap_or_default(),
        };
        let digest = pipeline::run(ports, &order, progress::for_standard_error().as_ref(), stop).await?;
        let (deliveries, delivery) = delivered(self.deliverer.as_ref(), &digest).await;
        self.show(&Sheet { digest: &digest, format: self.format, deliveries: &deliveries }, out)?;
        let cutoffs = Cutoffs::of(&context.config.store, context.clock.now());
        if let Err(error) = prune(self.store.as_ref(), &order.tenant, cutoffs).await {
            // The run stands and its digest is out: that old rows stay a while longer is nothing to fail it for.
            tracing::warn!(code = error.kind.code(), "old runs and articles stay for now: {error}");
        }
        Ok((digest, delivery))
    }

    fn show(&self, page: &Sheet<'_>, out: Option<OutFile>) -> anyhow::Result<()> {
        let digest = page.digest;
        if self.args.watch.watch && !self.context.json && digest.articles.is_empty() {
            // The last digest that had something to say stays where it is.
            output::note(&digest::summary(digest));
            return Ok(());
        }
        let Some(out) = out else { return output::page(page) };
        let path = out.commit_page(page).map_err(|error| settled(error, digest))?;
        output::note(&format!("{} Written to {}.", digest::summary(digest), path.display()));
        if self.context.json {
            output::page(&Sheet { format: Format::Json, ..*page })?;
        }
        Ok(())
    }
}

/// What a run reaches the world through: the adapters of this build.
pub(crate) fn ports(
    context: &Context,
    store: Arc<dyn Store>,
    policy: &RunPolicy,
) -> anyhow::Result<(Ports, Arc<SealedSources>)> {
    let sources = wiring::sources(context, Arc::clone(&store))?;
    let fetcher = wiring::fetcher(context)?;
    let judges = wiring::judges(context, &fetcher, &store, policy)?;
    let ports = Ports {
        fetcher,
        parser: wiring::feed_parser(),
        pages: wiring::page_reader(),
        sanitiser: wiring::sanitiser(),
        sources: Arc::clone(&sources) as Arc<dyn SourceStore>,
        feeds: Arc::clone(&store) as Arc<dyn FeedStore>,
        deliveries: Arc::clone(&store) as Arc<dyn DeliveryStore>,
        articles: store,
        classifier: judges.classifier,
        summariser: judges.summariser,
        meter: judges.meter,
        clock: Arc::clone(&context.clock),
    };
    Ok((ports, sources))
}

/// How the digest of a run translates into an exit status.
pub(crate) fn status(digest: &Digest) -> Status {
    match digest {
        _ if digest.is_total_failure() => Status::Failed,
        _ if digest.failed_sources() > 0 || !digest.failures.is_empty() || digest.interrupted => Status::Partly,
        _ => Status::Done,
    }
}

/// The sources of the command line and of the files, in that order.
fn written(args: &RunArgs) -> Result<Option<Vec<Written>>, UsageError> {
    if args.urls.is_empty() && args.sources.is_empty() {
        return Ok(None);
    }
    let mut written: Vec<Written> = args.urls.iter().map(|url| Written::url(url)).collect();
    for path in &args.sources {
        written.extend(list::read(path, wiring::outline_format().as_ref())?);
    }
    match written.is_empty() {
        true => Err(UsageError("the files given with --sources list no sources".to_owned())),
        false => Ok(Some(written)),
    }
}

/// The sources that are read whether or not they are due: those that were named one by one.
fn by_hand(sources: &[Wanted], args: &RunArgs) -> BTreeSet<SourceId> {
    let urls = args.urls.iter().filter_map(|url| url.trim().parse().ok());
    let named: BTreeSet<String> = urls.map(|url| source_key(&PrivateUrl::new(url))).collect();
    let sources = sources.iter().filter_map(Wanted::source);
    let named = if args.watch.watch { BTreeSet::new() } else { named };
    sources.filter(|source| args.refresh || named.contains(&source.key())).map(|source| source.id.clone()).collect()
}

/// The sources to read: the given ones, which the store then knows, else those that it knows.
pub(crate) async fn wanted(
    written: Option<Vec<Written>>,
    store: &SealedSources,
    tenant: &TenantId,
    context: &Context,
) -> anyhow::Result<Vec<Wanted>> {
    let stored = store.sources(tenant).await?;
    let Some(written) = written else {
        if stored.is_empty() {
            return Err(UsageError(
                "no sources: give URLs or --sources FILE, or import a list with `opml import`".to_owned(),
            )
            .into());
        }
        let shut = store.shut(tenant, &stored).await?;
        return Ok(stored.into_iter().map(|source| readable(source, &shut)).collect());
    };
    let now = context.clock.now();
    let preferred = sources::preferred(&stored);
    let mut wanted = sources::distinct(written.into_iter().map(|one| one.wanted(now, &preferred)).collect());
    let given: Vec<Source> = wanted.iter().filter_map(Wanted::source).cloned().collect();
    let mut known = store.add_sources(tenant, &given).await?.into_iter();
    for one in &mut wanted {
        if let Wanted::Source(source) = one {
            *source = known.next().unwrap_or_else(|| source.clone());
        }
    }
    Ok(wanted)
}

/// A source of the store, unless its secret is not there, or `shut`: sealed with a key that nobody configured.
fn readable(source: Source, shut: &BTreeSet<SourceId>) -> Wanted {
    if !source.url_redacted {
        return Wanted::Source(source);
    }
    let (code, message, hint) = match shut.contains(&source.id) {
        true => (
            ErrorKind::CredentialsUnreadable,
            "no configured vault key opens the secret of this URL",
            "add the key that sealed it to vault.keys, or give the URL with its secret again",
        ),
        false => (
            ErrorKind::Auth,
            "the store holds this URL without its secret",
            "give the URL with its secret on the command line or in a file",
        ),
    };
    let failure = Failure { code, message: message.to_owned(), hint: Some(hint.to_owned()) };
    Wanted::Unusable { text: source.url.redacted(), failure }
}
