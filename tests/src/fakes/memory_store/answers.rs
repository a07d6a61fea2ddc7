//! Keeps what a language model answered before, in memory.

use async_trait::async_trait;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{AnswerStore, Result, StoredAnswer};
use jiff::Timestamp;

use super::{MemoryStore, clean, microseconds};

#[async_trait]
impl AnswerStore for MemoryStore {
    async fn answers(&self, tenant: &TenantId, keys: &[String]) -> Result<Vec<StoredAnswer>> {
        let rows = self.rows();
        let mut keys = keys.to_vec();
        keys.sort();
        keys.dedup();
        let known = keys.into_iter().filter_map(|key| {
            let (_, text) = rows.answers.get(&(tenant.clone(), key.clone()))?;
            Some(StoredAnswer { key, text: text.clone() })
        });
        Ok(known.collect())
    }

    async fn save_answers(
        &self,
        tenant: &TenantId,
        answers: &[StoredAnswer],
        keep: usize,
        now: Timestamp,
    ) -> Result<()> {
        let mut rows = self.rows();
        for answer in answers {
            let place = (tenant.clone(), clean(&answer.key));
            rows.answers.insert(place, (microseconds(now), clean(&answer.text)));
        }
        let mut ages: Vec<_> = rows
            .answers
            .iter()
            .filter(|((owner, _), _)| owner == tenant)
            .map(|(place, (saved_at, _))| (*saved_at, place.clone()))
            .collect();
        ages.sort();
        let old = ages.len().saturating_sub(keep);
        ages.into_iter().take(old).for_each(|(_, place)| drop(rows.answers.remove(&place)));
        Ok(())
    }
}
