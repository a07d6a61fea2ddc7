//! Keeps which sinks have which digest, in memory.

use async_trait::async_trait;
use headwater_domain::synthesis::delivery::{DeliveryRecord, DeliveryState};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{DeliveryStore, Result};
use jiff::Timestamp;

use super::{MemoryStore, clean, microseconds};

#[async_trait]
impl DeliveryStore for MemoryStore {
    async fn owe<'a>(&self, tenant: &TenantId, run_id: &'a str, sinks: &[String], now: Timestamp) -> Result<()> {
        let mut rows = self.rows();
        for sink in sinks {
            let place = (tenant.clone(), run_id.to_owned(), sink.clone());
            rows.deliveries.entry(place).or_insert_with(|| DeliveryRecord::owed(run_id, sink, microseconds(now)));
        }
        Ok(())
    }

    async fn owed(&self, tenant: &TenantId, sinks: &[String], limit: usize) -> Result<Vec<DeliveryRecord>> {
        let rows = self.rows();
        let of_tenant = rows.deliveries.iter().filter(|((owner, ..), _)| owner == tenant).map(|(_, record)| record);
        let owed = of_tenant.filter(|record| {
            record.state == DeliveryState::Owed
                && sinks.contains(&record.sink)
                && rows.runs.contains_key(&(tenant.clone(), record.run_id.clone()))
        });
        Ok(owed.take(limit).cloned().collect())
    }

    async fn deliveries<'a>(&self, tenant: &TenantId, run_id: &'a str) -> Result<Vec<DeliveryRecord>> {
        let rows = self.rows();
        let of_run = rows.deliveries.iter().filter(|((owner, run, _), _)| owner == tenant && run == run_id);
        Ok(of_run.map(|(_, record)| record.clone()).collect())
    }

    async fn save_delivery(&self, tenant: &TenantId, record: &DeliveryRecord) -> Result<bool> {
        let place = (tenant.clone(), record.run_id.clone(), record.sink.clone());
        let mut rows = self.rows();
        if rows.deliveries.get(&place).is_some_and(|known| known.state == DeliveryState::Delivered) {
            return Ok(false);
        }
        let problem = record.problem.as_deref().map(clean);
        let stored = DeliveryRecord { problem, changed_at: microseconds(record.changed_at), ..record.clone() };
        rows.deliveries.insert(place, stored);
        Ok(true)
    }

    async fn forget_deliveries(&self, tenant: &TenantId, before: Timestamp, limit: usize) -> Result<usize> {
        let mut rows = self.rows();
        let old = rows.deliveries.iter().filter(|((owner, ..), record)| owner == tenant && record.changed_at < before);
        let old: Vec<_> = old.map(|(place, _)| place.clone()).take(limit).collect();
        old.iter().for_each(|place| drop(rows.deliveries.remove(place)));
        Ok(old.len())
    }
}
