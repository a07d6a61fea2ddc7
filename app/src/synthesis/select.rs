//! Which links of a wave are read: what is known is dropped first, then each source is held to its share.

use std::collections::{BTreeMap, BTreeSet};

use headwater_domain::synthesis::candidate::Candidate;
use headwater_domain::synthesis::digest::Counts;
use headwater_domain::synthesis::history::{ArticleKey, HistoryEntry};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{ArticleStore, Result};

/// Remembers what was taken from earlier sources of the run.
#[derive(Debug, Default)]
pub(crate) struct Selector {
    taken: BTreeSet<ArticleKey>,
    also_in: BTreeMap<ArticleKey, Vec<usize>>,
    cut: BTreeSet<usize>,
}

/// The links of one source, with its number in source order.
#[derive(Debug)]
pub(crate) struct Links {
    /// The number of the source.
    pub(crate) source: usize,
    /// Its links, distinct, best first.
    pub(crate) candidates: Vec<Candidate>,
}

impl Selector {
    /// Takes of each source at most `max_links` links that no earlier run settled and no earlier source gave.
    ///
    /// History comes before the cut: else what was seen would starve what is older. What is left out is counted.
    pub(crate) async fn select(
        &mut self,
        wave: Vec<Links>,
        max_links: usize,
        history: (&dyn ArticleStore, &TenantId),
        counts: &mut Counts,
    ) -> Result<Vec<Links>> {
        let keys: Vec<ArticleKey> =
            wave.iter().flat_map(|links| &links.candidates).map(|known| known.key.clone()).collect();
        let known = known(&keys, history).await?;
        let select =
            |links: Links| Links { source: links.source, candidates: self.take(links, max_links, &known, counts) };
        Ok(wave.into_iter().map(select).collect())
    }

    /// The other sources that gave an article, in source order.
    pub(crate) fn also_in(&self, key: &ArticleKey) -> &[usize] {
        self.also_in.get(key).map_or(&[], Vec::as_slice)
    }

    /// The sources that gave more links than were taken.
    pub(crate) fn cut(&self) -> &BTreeSet<usize> {
        &self.cut
    }

    fn take(
        &mut self,
        links: Links,
        max_links: usize,
        known: &BTreeMap<ArticleKey, HistoryEntry>,
        counts: &mut Counts,
    ) -> Vec<Candidate> {
        counts.links += links.candidates.len();
        let mut chosen = Vec::new();
        for mut candidate in links.candidates {
            let entry = known.get(&candidate.key);
            if entry.is_some_and(HistoryEntry::is_settled) {
                counts.known += 1;
            } else if self.taken.contains(&candidate.key) {
                counts.repeated += 1;
                self.also_in.entry(candidate.key).or_default().push(links.source);
            } else if chosen.len() >= max_links {
                counts.deferred += 1;
                self.cut.insert(links.source);
            } else {
                candidate.failures = entry.map_or(0, |entry| entry.failures);
                self.taken.insert(candidate.key.clone());
                chosen.push(candidate);
            }
        }
        chosen
    }
}

/// What history knows of these articles.
pub(crate) async fn known(
    keys: &[ArticleKey],
    (store, tenant): (&dyn ArticleStore, &TenantId),
) -> Result<BTreeMap<ArticleKey, HistoryEntry>> {
    let mut known = BTreeMap::new();
    for keys in keys.chunks(KEYS_AT_ONCE) {
        known.extend(store.known(tenant, keys).await?.into_iter().map(|entry| (entry.key.clone(), entry)));
    }
    Ok(known)
}

/// Keys that the store is asked for in one query.
const KEYS_AT_ONCE: usize = 500;

#[cfg(test)]
mod tests;
