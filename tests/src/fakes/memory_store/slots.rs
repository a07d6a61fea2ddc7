//! Which slots of a schedule were taken, in memory.

use async_trait::async_trait;
use headwater_domain::synthesis::slot::Slot;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Result, SlotStore};

use super::{MemoryStore, microseconds};

#[async_trait]
impl SlotStore for MemoryStore {
    async fn slot<'a>(&self, tenant: &TenantId, schedule: &'a str) -> Result<Option<Slot>> {
        Ok(self.rows().slots.get(&(tenant.clone(), schedule.to_owned())).cloned())
    }

    async fn replace_slot<'a>(
        &self,
        tenant: &TenantId,
        schedule: &'a str,
        expected: Option<&'a Slot>,
        new: &'a Slot,
    ) -> Result<bool> {
        let stored = |slot: &Slot| Slot { at: microseconds(slot.at), until: microseconds(slot.until), ..slot.clone() };
        let (mut rows, place) = (self.rows(), (tenant.clone(), schedule.to_owned()));
        let as_expected = rows.slots.get(&place) == expected.map(stored).as_ref();
        if as_expected {
            rows.slots.insert(place, stored(new));
        }
        Ok(as_expected)
    }
}
