//! A store in memory that keeps the contracts of the store ports.

mod answers;
mod data_sources;
mod deliveries;
mod documents;
mod jobs;
mod slots;
mod sync;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard};

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::secret::{PrivateUrl, Sealed, SecretPlace, StoredSecret};
use headwater_domain::sync::{
    DataSource, DataSourceId, DeletedBy, DocumentKey, Lease, RunId, RunStatus, SyncCursor, SyncLog,
};
use headwater_domain::synthesis::delivery::DeliveryRecord;
use headwater_domain::synthesis::history::{ArticleKey, HistoryEntry, RunRecord, merge};
use headwater_domain::synthesis::near_duplicate::Fingerprint;
use headwater_domain::synthesis::slot::Slot;
use headwater_domain::synthesis::source::{FeedLocation, Source, SourceId, TenantId};
use headwater_ports::{ArticleStore, Error, FeedStore, Result, Retention, SecretStore, SourceStore};
use jiff::{SignedDuration, Timestamp};
use tokio::sync::Notify;

use self::jobs::JobRows;

/// A store in memory that keeps the contracts of the store ports: plain maps under one lock.
#[derive(Debug, Default)]
pub struct MemoryStore {
    rows: Mutex<Rows>,
    bell: Notify,
}

#[derive(Debug, Default)]
struct Rows {
    /// By tenant and id, with the position.
    sources: BTreeMap<(TenantId, SourceId), (usize, Source)>,
    /// Which source has a key.
    source_keys: BTreeMap<(TenantId, String), SourceId>,
    next_position: usize,
    /// By tenant and key, with the run that wrote it.
    history: BTreeMap<(TenantId, ArticleKey), (String, HistoryEntry)>,
    runs: BTreeMap<(TenantId, String), RunRecord>,
    feeds: BTreeMap<(TenantId, String), String>,
    secrets: BTreeMap<SecretPlace, StoredSecret>,
    jobs: JobRows,
    slots: BTreeMap<(TenantId, String), Slot>,
    /// By tenant, run and sink.
    deliveries: BTreeMap<(TenantId, String, String), DeliveryRecord>,
    /// By tenant and key, with the time.
    answers: BTreeMap<(TenantId, String), (Timestamp, String)>,
    data_sources: BTreeMap<(TenantId, DataSourceId), DataSource>,
    leases: BTreeMap<(TenantId, DataSourceId), Lease>,
    logs: BTreeMap<(TenantId, RunId), SyncLog>,
    cursors: BTreeMap<(TenantId, DataSourceId), SyncCursor>,
    documents: BTreeMap<(TenantId, DocumentKey), documents::Kept>,
}

impl MemoryStore {
    fn rows(&self) -> MutexGuard<'_, Rows> {
        self.rows.lock().expect("no method panics while it holds the rows")
    }

    fn bell(&self) -> &Notify {
        &self.bell
    }
}

#[async_trait]
impl SourceStore for MemoryStore {
    async fn sources(&self, tenant: &TenantId) -> Result<Vec<Source>> {
        let rows = self.rows();
        let mut sources: Vec<_> =
            rows.sources.iter().filter(|((owner, _), _)| owner == tenant).map(|(_, row)| row).collect();
        sources.sort_by_key(|(position, source)| (!source.preferred, *position));
        Ok(sources.into_iter().map(|(_, source)| source.clone()).collect())
    }

    async fn add_sources(&self, tenant: &TenantId, sources: &[Source]) -> Result<Vec<Source>> {
        let mut rows = self.rows();
        let before = (rows.sources.clone(), rows.source_keys.clone());
        for given in sources {
            if let Err(error) = rows.add(tenant, given) {
                (rows.sources, rows.source_keys) = before;
                return Err(error);
            }
        }
        let stored = sources.iter().map(|given| {
            let source = rows.by_key(tenant, &given.key()).expect("every given source was added").clone();
            if given.url.has_secret() { source.with_secret(&given.url) } else { source }
        });
        Ok(stored.collect())
    }

    async fn remove_source(&self, tenant: &TenantId, id: &SourceId) -> Result<bool> {
        let mut rows = self.rows();
        let Some((_, source)) = rows.sources.remove(&(tenant.clone(), id.clone())) else { return Ok(false) };
        rows.source_keys.remove(&(tenant.clone(), source.key()));
        rows.secrets.retain(|place, _| (&place.tenant, &place.owner) != (tenant, &id.0));
        Ok(true)
    }

    async fn update_source_rss<'a>(
        &self,
        tenant: &TenantId,
        id: &SourceId,
        expected: Option<&'a FeedLocation>,
        new: Option<&'a FeedLocation>,
    ) -> Result<bool> {
        let mut rows = self.rows();
        let Some((_, source)) = rows.sources.get_mut(&(tenant.clone(), id.clone())) else { return Ok(false) };
        let as_expected = source.feed == expected.and_then(kept);
        if as_expected {
            source.feed = new.and_then(kept);
        }
        Ok(as_expected)
    }
}

#[async_trait]
impl ArticleStore for MemoryStore {
    async fn known(&self, tenant: &TenantId, keys: &[ArticleKey]) -> Result<Vec<HistoryEntry>> {
        let rows = self.rows();
        let mut keys = keys.to_vec();
        keys.sort();
        keys.dedup();
        let known = keys.into_iter().filter_map(|key| rows.history.get(&(tenant.clone(), clean_key(&key))));
        Ok(known.map(|(_, entry)| entry.clone()).collect())
    }

    async fn near(&self, tenant: &TenantId, prints: &[Fingerprint], since: Timestamp) -> Result<Vec<HistoryEntry>> {
        let rows = self.rows();
        let ours = rows.history.iter().filter(|((owner, _), (_, entry))| owner == tenant && entry.seen_at >= since);
        let is_near = |entry: &&HistoryEntry| {
            entry.fingerprint.is_some_and(|known| prints.iter().any(|print| print.is_near(known)))
        };
        Ok(ours.map(|(_, (_, entry))| entry).filter(is_near).cloned().collect())
    }

    async fn settle(&self, tenant: &TenantId, run: &RunRecord, entries: &[HistoryEntry]) -> Result<Vec<ArticleKey>> {
        let mut rows = self.rows();
        rows.runs.insert((tenant.clone(), run.run_id.clone()), stored_run(run));
        let entries: Vec<_> = entries.iter().map(stored_entry).collect();
        let settled = merge(&entries).into_iter().filter_map(|entry| rows.settle(tenant, &run.run_id, entry));
        Ok(settled.collect())
    }

    async fn runs(&self, tenant: &TenantId, limit: usize) -> Result<Vec<RunRecord>> {
        let rows = self.rows();
        let runs = rows.runs.iter().rev().filter(|((owner, _), _)| owner == tenant).take(limit);
        Ok(runs.map(|(_, run)| run.clone()).collect())
    }

    async fn run<'a>(&self, tenant: &TenantId, run_id: &'a str) -> Result<Option<RunRecord>> {
        Ok(self.rows().runs.get(&(tenant.clone(), run_id.to_owned())).cloned())
    }
}

#[async_trait]
impl FeedStore for MemoryStore {
    async fn feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str) -> Result<Option<String>> {
        Ok(self.rows().feeds.get(&(tenant.clone(), clean(feed))).cloned())
    }

    async fn feed_memories(&self, tenant: &TenantId, feeds: &[String]) -> Result<Vec<(String, String)>> {
        let rows = self.rows();
        let feeds: BTreeSet<String> = feeds.iter().map(|feed| clean(feed)).collect();
        let found = feeds.into_iter().filter_map(|feed| {
            let memory = rows.feeds.get(&(tenant.clone(), feed.clone()))?.clone();
            Some((feed, memory))
        });
        Ok(found.collect())
    }

    async fn save_feed_memory<'a>(&self, tenant: &TenantId, feed: &'a str, memory: &'a str) -> Result<()> {
        self.save_feed_memories(tenant, &[(feed.to_owned(), memory.to_owned())]).await
    }

    async fn save_feed_memories(&self, tenant: &TenantId, memories: &[(String, String)]) -> Result<()> {
        let saved = memories.iter().map(|(feed, memory)| ((tenant.clone(), clean(feed)), clean(memory)));
        self.rows().feeds.extend(saved);
        Ok(())
    }
}

#[async_trait]
impl SecretStore for MemoryStore {
    async fn secret(&self, place: &SecretPlace) -> Result<Option<StoredSecret>> {
        Ok(self.rows().secrets.get(place).cloned())
    }

    async fn secrets_of<'a>(&self, tenant: &TenantId, owners: &[String], field: &'a str) -> Result<Vec<StoredSecret>> {
        let rows = self.rows();
        let found = owners.iter().filter_map(|owner| rows.secrets.get(&SecretPlace::new(tenant, owner, field)));
        Ok(found.cloned().collect())
    }

    async fn save_secrets(&self, secrets: &[(SecretPlace, Sealed)]) -> Result<()> {
        let stored = secrets.iter().map(|(place, sealed)| {
            let secret = StoredSecret { place: place.clone(), sealed: sealed.clone(), quarantined: false };
            (place.clone(), secret)
        });
        self.rows().secrets.extend(stored);
        Ok(())
    }

    async fn remove_secrets<'a>(&self, tenant: &TenantId, owner: &'a str) -> Result<u64> {
        let mut rows = self.rows();
        let before = rows.secrets.len();
        rows.secrets.retain(|place, _| (&place.tenant, place.owner.as_str()) != (tenant, owner));
        Ok((before - rows.secrets.len()) as u64)
    }

    async fn page<'a>(&self, after: Option<&'a SecretPlace>, limit: usize) -> Result<Vec<StoredSecret>> {
        let rows = self.rows();
        let page = rows.secrets.values().filter(|secret| after.is_none_or(|after| secret.place > *after)).take(limit);
        Ok(page.cloned().collect())
    }

    async fn replace_secret<'a>(&self, place: &SecretPlace, expected: &'a str, new: &Sealed) -> Result<bool> {
        let mut rows = self.rows();
        let Some(secret) = rows.secrets.get_mut(place).filter(|secret| secret.sealed.text == expected) else {
            return Ok(false);
        };
        secret.sealed = new.clone();
        secret.quarantined = false;
        Ok(true)
    }

    async fn quarantine_secret<'a>(&self, place: &SecretPlace, expected: &'a str) -> Result<bool> {
        let mut rows = self.rows();
        let Some(secret) = rows.secrets.get_mut(place).filter(|secret| secret.sealed.text == expected) else {
            return Ok(false);
        };
        secret.quarantined = true;
        Ok(true)
    }
}

#[async_trait]
impl Retention for MemoryStore {
    async fn forget_runs(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize> {
        let mut rows = self.rows();
        let old = rows.runs.iter().filter(|((owner, _), run)| owner == tenant && run.finished_at < before);
        let old: Vec<_> = old.map(|(place, _)| place.clone()).take(limit).collect();
        old.iter().for_each(|place| drop(rows.runs.remove(place)));
        Ok(old.len())
    }

    async fn forget_articles(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize> {
        let mut rows = self.rows();
        let old = rows.history.iter().filter(|((owner, _), (_, entry))| owner == tenant && entry.seen_at < before);
        let old: Vec<_> = old.map(|(place, _)| place.clone()).take(limit).collect();
        old.iter().for_each(|place| drop(rows.history.remove(place)));
        Ok(old.len())
    }

    async fn forget_sync_logs(
        &self,
        tenant: &TenantId,
        now: Timestamp,
        days: Option<u32>,
        limit: usize,
    ) -> Result<usize> {
        let mut rows = self.rows();
        let is_old = |log: &SyncLog| {
            let source = rows.data_sources.get(&(tenant.clone(), log.data_source.clone()));
            let days = source.and_then(|source| source.log_retention_days).or(days);
            let kept = days.map(|days| SignedDuration::from_hours(24 * i64::from(days)));
            let ended = log.finished_at.filter(|_| log.status != RunStatus::Running);
            let newest = rows.logs_of(tenant, &log.data_source).first().is_some_and(|newest| newest.run == log.run);
            !newest && kept.zip(ended).is_some_and(|(kept, ended)| now.duration_since(ended) > kept)
        };
        let old = rows.logs.iter().filter(|((owner, _), log)| owner == tenant && is_old(log));
        let old: Vec<_> = old.map(|(place, _)| place.clone()).take(limit).collect();
        old.iter().for_each(|place| drop(rows.logs.remove(place)));
        Ok(old.len())
    }

    async fn forget_documents(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize> {
        let mut rows = self.rows();
        let old = rows.documents.iter().filter(|((owner, _), kept)| {
            let tombstone = kept.document.tombstone;
            owner == tenant && kept.content.is_some() && tombstone.is_some_and(|stone| stone.deleted_at < before)
        });
        let old: Vec<_> = old.map(|(place, _)| place.clone()).take(limit).collect();
        for place in &old {
            let by = rows.documents[place].document.tombstone.map(|tombstone| tombstone.by);
            if by == Some(DeletedBy::Person)
                && let Some(kept) = rows.documents.get_mut(place)
            {
                kept.content = None;
            } else {
                rows.documents.remove(place);
            }
        }
        Ok(old.len())
    }
}

impl Rows {
    fn by_key(&mut self, tenant: &TenantId, key: &str) -> Option<&mut Source> {
        let mut sources =
            self.sources.iter_mut().filter(|((owner, _), _)| owner == tenant).map(|(_, (_, source))| source);
        sources.find(|source| source.key() == key)
    }

    fn add(&mut self, tenant: &TenantId, given: &Source) -> Result<()> {
        let stored = stored_source(given);
        if let Some(known) = self.by_key(tenant, &given.key()) {
            *known = known.clone().added_again(stored);
            return Ok(());
        }
        let place = (tenant.clone(), given.id.clone());
        if self.sources.contains_key(&place) {
            return Err(Error::new(ErrorKind::Store, "add sources", "two sources claim one id"));
        }
        let position = self.next_position;
        self.next_position += 1;
        self.source_keys.insert((tenant.clone(), given.key()), given.id.clone());
        self.sources.insert(place, (position, stored));
        Ok(())
    }

    /// Writes one outcome, and gives its key if that settled the article.
    fn settle(&mut self, tenant: &TenantId, run_id: &str, entry: HistoryEntry) -> Option<ArticleKey> {
        let place = (tenant.clone(), entry.key.clone());
        let entry = match self.history.remove(&place) {
            Some((writer, known)) if writer != run_id && known.is_settled() => {
                self.history.insert(place, (writer, known));
                return None;
            }
            Some((_, known)) if !known.is_settled() => known.then(entry),
            _ => entry,
        };
        let settled = entry.is_settled().then(|| entry.key.clone());
        self.history.insert(place, (run_id.to_owned(), entry));
        settled
    }
}

fn stored_source(given: &Source) -> Source {
    let url = given.url.redacted().parse().map_or_else(|_| given.url.clone(), PrivateUrl::new);
    Source {
        url,
        url_redacted: given.url_redacted || given.url.has_secret(),
        title: given.title.as_deref().map(clean),
        feed: given.feed.as_ref().and_then(kept),
        ..given.clone()
    }
}

fn kept(feed: &FeedLocation) -> Option<FeedLocation> {
    let feed = feed.storable()?.clone();
    Some(FeedLocation { rss_discovered_at: feed.rss_discovered_at.map(microseconds), ..feed })
}

fn stored_entry(entry: &HistoryEntry) -> HistoryEntry {
    HistoryEntry {
        key: clean_key(&entry.key),
        url: clean(&entry.url),
        title: entry.title.as_deref().map(clean),
        source_url: clean(&entry.source_url),
        seen_at: microseconds(entry.seen_at),
        ..entry.clone()
    }
}

fn stored_run(run: &RunRecord) -> RunRecord {
    RunRecord {
        started_at: microseconds(run.started_at),
        finished_at: microseconds(run.finished_at),
        digest_json: clean(&run.digest_json),
        ..run.clone()
    }
}

fn microseconds(time: Timestamp) -> Timestamp {
    Timestamp::from_microsecond(time.as_microsecond()).expect("a time that was one is one")
}

fn clean(text: &str) -> String {
    text.replace('\0', "\u{fffd}")
}

fn clean_key(key: &ArticleKey) -> ArticleKey {
    ArticleKey(clean(&key.0))
}
