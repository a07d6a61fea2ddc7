//! How a run asks feeds: conditionally, in their turn, and with a memory that outlives it.

use std::collections::BTreeMap;
use std::sync::Arc;

use headwater_connectors::rss::{FeedMemory, FeedReader, FeedReading, FeedRequest, ReadingKind};
use headwater_domain::ErrorKind;
use headwater_domain::feed::FeedDocument;
use headwater_domain::feed::fetch_state::{FeedFetchState, Occasion};
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::rss_first;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Error, FeedStore, FetchResponse, Result};
use tracing::warn;

use super::fetch::{Missing, Scope, Wait, Web};

/// Asks feeds, and keeps what is to be remembered of them.
#[derive(Clone)]
pub(crate) struct Feeds {
    /// Makes the attempts.
    pub(crate) reader: Arc<FeedReader>,
    /// Lets the requests through, host by host.
    pub(crate) web: Web,
    /// Keeps the memories.
    pub(crate) store: Arc<dyn FeedStore>,
    /// Whose they are.
    pub(crate) tenant: TenantId,
}

/// What is to be remembered of one feed.
#[derive(Debug, Clone)]
pub(crate) struct Remembered {
    /// Under which name the store keeps it.
    pub(crate) key: String,
    /// The memory.
    pub(crate) memory: FeedMemory,
    /// A document was read: what it held must be lasting before this is.
    pub(crate) was_read: bool,
}

/// A feed that answered.
#[derive(Debug)]
pub(crate) struct FeedAnswer {
    /// Where it is to be asked for from now on.
    pub(crate) lasting_url: PrivateUrl,
    /// What it holds; none: the same as the last time.
    pub(crate) document: Option<Box<FeedDocument>>,
}

impl Feeds {
    /// Asks a feed, unless it is too early; `notes` takes what is to be remembered.
    pub(crate) async fn ask(
        &self,
        url: &PrivateUrl,
        occasion: Occasion,
        notes: &mut Vec<Remembered>,
    ) -> Result<FeedAnswer, Missing> {
        let memory = self.memory(url).await;
        if let Some(missing) = self.skip(url, occasion, &memory) {
            return Err(missing);
        }
        let permit = self.web.gate().enter(url.expose()).await.map_err(Missing::left_alone)?;
        let (reading, memory) = self.reader.read(&request(url, occasion), memory).await;
        drop(permit);
        self.answer(url, reading, memory, notes)
    }

    /// Takes an answer that was asked for as a page.
    pub(crate) async fn take(
        &self,
        url: &PrivateUrl,
        occasion: Occasion,
        response: FetchResponse,
        notes: &mut Vec<Remembered>,
    ) -> Result<FeedAnswer, Missing> {
        let memory = self.memory(url).await;
        let (reading, memory) = self.reader.take(&request(url, occasion), memory, response).await;
        self.answer(url, reading, memory, notes)
    }

    /// Takes note that there was no answer.
    pub(crate) async fn take_failure(
        &self,
        url: &PrivateUrl,
        occasion: Occasion,
        error: Error,
        notes: &mut Vec<Remembered>,
    ) -> Missing {
        let memory = self.memory(url).await;
        let (reading, memory) = self.reader.take_failure(&request(url, occasion), memory, error);
        note(url, &reading, memory, notes);
        missing(reading)
    }

    /// Takes note that a page was read where a feed might have been.
    pub(crate) async fn take_page(&self, url: &PrivateUrl, occasion: Occasion, notes: &mut Vec<Remembered>) {
        let memory = self.reader.take_page(&request(url, occasion), self.memory(url).await);
        notes.push(Remembered { key: FeedMemory::key(url), memory, was_read: true });
    }

    /// Why no request is made now, if none is.
    pub(crate) fn skip(&self, url: &PrivateUrl, occasion: Occasion, memory: &FeedMemory) -> Option<Missing> {
        let reading = self.reader.skip(&request(url, occasion), memory)?;
        let wait = wait(reading.error.as_ref()?.kind, &memory.state);
        Some(Missing { wait: Some(wait), ..missing(reading) })
    }

    /// What is remembered of a feed. A memory that cannot be read is as good as none: it costs one full request.
    pub(crate) async fn memory(&self, url: &PrivateUrl) -> FeedMemory {
        let stored = match self.store.feed_memory(&self.tenant, &FeedMemory::key(url)).await {
            Ok(stored) => {
                stored.map(|text| FeedMemory::from_json(&text)).transpose().map_err(|error| error.to_string())
            }
            Err(error) => Err(error.to_string()),
        };
        stored.map(Option::unwrap_or_default).unwrap_or_else(|error| {
            warn!(feed = %url, error, "could not read what is remembered of the feed");
            FeedMemory::default()
        })
    }

    /// Makes memories lasting. A store that cannot do so costs the next run full requests, no more.
    pub(crate) async fn remember(&self, memories: Vec<Remembered>) {
        let mut by_key: BTreeMap<String, FeedMemory> = BTreeMap::new();
        for Remembered { key, memory, .. } in memories {
            // Two sources with one feed: where one of them left something undone, that counts.
            let stands = by_key.get(&key).is_some_and(|known| known.state.next_attempt_at().is_none());
            if !stands {
                by_key.insert(key, memory);
            }
        }
        let memories: Vec<_> = by_key.into_iter().map(|(key, memory)| (key, memory.to_json())).collect();
        if let Err(error) = self.store.save_feed_memories(&self.tenant, &memories).await {
            warn!(%error, "could not store what is remembered of the feeds");
        }
    }

    fn answer(
        &self,
        url: &PrivateUrl,
        reading: FeedReading,
        memory: FeedMemory,
        notes: &mut Vec<Remembered>,
    ) -> Result<FeedAnswer, Missing> {
        if reading.error.as_ref().is_some_and(|error| error.kind == ErrorKind::Throttled) {
            self.web.gate().throttle(url.expose());
        }
        note(url, &reading, memory, notes);
        match reading.kind {
            ReadingKind::Ok | ReadingKind::NotModified => Ok(FeedAnswer {
                lasting_url: reading.permanent_url.unwrap_or_else(|| url.clone()),
                document: reading.document.map(Box::new),
            }),
            ReadingKind::Skipped | ReadingKind::Error => Err(missing(reading)),
        }
    }
}

fn request(url: &PrivateUrl, occasion: Occasion) -> FeedRequest {
    FeedRequest::new(url.clone()).on(occasion)
}

/// Keeps a memory where an attempt was made. That of a feed that moved is also kept under the new address, where it is
/// asked for from now on.
fn note(url: &PrivateUrl, reading: &FeedReading, memory: FeedMemory, notes: &mut Vec<Remembered>) {
    if reading.kind == ReadingKind::Skipped {
        return;
    }
    let was_read = reading.kind == ReadingKind::Ok;
    if let Some(moved) = reading.permanent_url.as_ref().filter(|moved| *moved != url) {
        notes.push(Remembered { key: FeedMemory::key(moved), memory: memory.clone().at(moved), was_read });
    }
    notes.push(Remembered { key: FeedMemory::key(url), memory, was_read });
}

fn missing(reading: FeedReading) -> Missing {
    let error = reading.error.expect("a reading without an answer says why");
    let kind = if reading.http_status == Some(410) { ErrorKind::Gone } else { error.kind };
    let definite = rss_first::is_definite_absence(kind, reading.http_status);
    Missing { error: Box::new(error), definite, wait: None, next_attempt_at: reading.next_attempt_at }
}

/// Why a feed is not asked, in words that stand behind "not read: ".
fn wait(kind: ErrorKind, state: &FeedFetchState) -> Wait {
    let failures = state.failures();
    let failed = || {
        let last = state.last_error().map(|error| format!(" ({})", error.message)).unwrap_or_default();
        let times = if failures == 1 { "once".to_owned() } else { format!("{failures} times in a row") };
        format!("it failed {times}{last}")
    };
    let by_hand = "name its URL on the command line to ask it again";
    match kind {
        ErrorKind::Throttled => {
            Wait { reason: "the server asked to be left alone for a while".to_owned(), scope: Scope::Source }
        }
        ErrorKind::CircuitOpen => Wait { reason: format!("{}; {by_hand}", failed()), scope: Scope::Feed },
        ErrorKind::Gone => {
            let reason = format!("its publisher ended it (410 Gone); remove it, or {by_hand}");
            Wait { reason, scope: Scope::Feed }
        }
        _ if failures > 0 => Wait { reason: format!("{} and is left alone for a while", failed()), scope: Scope::Feed },
        _ => Wait { reason: "it is not due yet".to_owned(), scope: Scope::Source },
    }
}
