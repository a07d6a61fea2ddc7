//! Keeps which slot of a schedule was taken last.

use async_trait::async_trait;
use headwater_domain::synthesis::slot::Slot;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Result, SlotStore};

use crate::PgStore;
use crate::columns::{parse_time, time_text};
use crate::error::unreadable;

#[async_trait]
impl SlotStore for PgStore {
    async fn slot<'a>(&self, tenant: &TenantId, schedule: &'a str) -> Result<Option<Slot>> {
        let row: Option<SlotRow> = sqlx::query_as(
            "SELECT (slot_at AT TIME ZONE 'UTC')::text, holder, (held_until AT TIME ZONE 'UTC')::text, is_done, failures
             FROM schedule_slots WHERE tenant_id = $1 AND schedule = $2",
        )
        .bind(&tenant.0)
        .bind(schedule)
        .fetch_optional(self.readers())
        .await
        .map_err(self.failed(OPERATION))?;
        let Some((at, holder, until, is_done, failures)) = row else { return Ok(None) };
        let (Some(at), Some(until)) = (parse_time(&at), parse_time(&until)) else {
            return Err(unreadable(&self.name(), OPERATION, "the slot of a schedule"));
        };
        let failures = u32::try_from(failures).unwrap_or(u32::MAX);
        Ok(Some(Slot { at, holder, until, is_done, failures }))
    }

    async fn replace_slot<'a>(
        &self,
        tenant: &TenantId,
        schedule: &'a str,
        expected: Option<&'a Slot>,
        new: &'a Slot,
    ) -> Result<bool> {
        let mut transaction = self.begin(OPERATION).await?;
        let query = match expected {
            None => sqlx::query(
                "INSERT INTO schedule_slots (tenant_id, schedule, slot_at, holder, held_until, is_done, failures)
                 VALUES ($1, $2, $3::text::timestamptz, $4, $5::text::timestamptz, $6, $7)
                 ON CONFLICT (tenant_id, schedule) DO NOTHING",
            ),
            Some(_) => sqlx::query(
                "UPDATE schedule_slots
                 SET slot_at = $3::text::timestamptz, holder = $4, held_until = $5::text::timestamptz, is_done = $6,
                     failures = $7
                 WHERE tenant_id = $1 AND schedule = $2
                   AND slot_at = $8::text::timestamptz AND holder = $9 AND held_until = $10::text::timestamptz
                   AND is_done = $11 AND failures = $12",
            ),
        };
        let mut query = query
            .bind(&tenant.0)
            .bind(schedule)
            .bind(time_text(new.at))
            .bind(&new.holder)
            .bind(time_text(new.until))
            .bind(new.is_done)
            .bind(i64::from(new.failures));
        if let Some(expected) = expected {
            query = query
                .bind(time_text(expected.at))
                .bind(&expected.holder)
                .bind(time_text(expected.until))
                .bind(expected.is_done)
                .bind(i64::from(expected.failures));
        }
        let changed = query.execute(&mut *transaction).await.map_err(self.failed(OPERATION))?.rows_affected();
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(changed == 1)
    }
}

/// `slot_at`, `holder`, `held_until`, `is_done`, `failures`.
type SlotRow = (String, String, String, bool, i64);

const OPERATION: &str = "take the slot of a schedule";
