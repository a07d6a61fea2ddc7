//! How a run of phase 1 is carried out, over ports only: a stage a file.

pub(crate) mod accumulate;
pub(crate) mod classify;
pub(crate) mod collect;
pub(crate) mod cpu;
pub(crate) mod discover;
pub(crate) mod feeds;
pub(crate) mod fetch;
pub(crate) mod host_gate;
pub(crate) mod pipeline;
pub(crate) mod scrape;
pub(crate) mod select;
pub(crate) mod settle;
pub(crate) mod stop;
pub(crate) mod summarise;

use std::collections::BTreeSet;
use std::sync::Arc;

use headwater_domain::feed::reader_policy::ReaderPolicy;
use headwater_domain::synthesis::digest::Failure;
use headwater_domain::synthesis::policy::RunPolicy;
use headwater_domain::synthesis::source::{Source, SourceId, TenantId};
use headwater_domain::synthesis::topic::Topic;
use headwater_ports::{
    ArticleStore, Classifier, Clock, DeliveryStore, Error, FeedParser, FeedStore, Fetcher, ModelMeter, PageReader,
    Sanitiser, SourceStore, Summariser,
};

/// What a run reaches the world through.
#[derive(Clone)]
pub(crate) struct Ports {
    /// Makes the requests.
    pub(crate) fetcher: Arc<dyn Fetcher>,
    /// Reads feeds of every format.
    pub(crate) parser: Arc<dyn FeedParser>,
    /// Reads pages.
    pub(crate) pages: Arc<dyn PageReader>,
    /// Makes a feed's own bodies safe.
    pub(crate) sanitiser: Arc<dyn Sanitiser>,
    /// Knows where each source's feed is.
    pub(crate) sources: Arc<dyn SourceStore>,
    /// Knows what is remembered of feeds.
    pub(crate) feeds: Arc<dyn FeedStore>,
    /// Knows which articles were seen.
    pub(crate) articles: Arc<dyn ArticleStore>,
    /// Knows which sinks have which digest.
    pub(crate) deliveries: Arc<dyn DeliveryStore>,
    /// Judges articles.
    pub(crate) classifier: Arc<dyn Classifier>,
    /// Sums up what is kept.
    pub(crate) summariser: Arc<dyn Summariser>,
    /// Counts what a language model is used for, where there is one.
    pub(crate) meter: Option<Arc<dyn ModelMeter>>,
    /// Tells the time.
    pub(crate) clock: Arc<dyn Clock>,
}

/// What a run is asked to do.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Whose sources and history.
    pub(crate) tenant: TenantId,
    /// A UUID as text, later than those of earlier runs.
    pub(crate) run_id: String,
    /// What to read, in order.
    pub(crate) sources: Vec<Wanted>,
    /// What to keep; empty: everything new.
    pub(crate) topics: Vec<Topic>,
    /// The sources that somebody named to have them read now, due or not.
    pub(crate) by_hand: BTreeSet<SourceId>,
    /// How patient the feed reader is.
    pub(crate) reader: ReaderPolicy,
    /// How much, how long, how many at once.
    pub(crate) policy: RunPolicy,
    /// The names of the sinks that are to get the digest.
    pub(crate) sinks: Vec<String>,
}

/// A source as it was asked for.
#[derive(Debug, Clone)]
pub(crate) enum Wanted {
    /// One that can be read.
    Source(Source),
    /// One that cannot, and why: it is reported beside the others.
    Unusable {
        /// As it was written, without secrets.
        text: String,
        /// Why.
        failure: Failure,
    },
}

impl Wanted {
    /// The source, if it can be read.
    pub(crate) fn source(&self) -> Option<&Source> {
        match self {
            Self::Source(source) => Some(source),
            Self::Unusable { .. } => None,
        }
    }

    /// Whether it is read first.
    pub(crate) fn is_preferred(&self) -> bool {
        self.source().is_some_and(|source| source.preferred)
    }
}

/// An error as the digest shows it.
pub(crate) fn failure(error: &Error) -> Failure {
    Failure { code: error.kind, message: error.to_string(), hint: error.hint.clone() }
}
