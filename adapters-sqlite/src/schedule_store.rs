//! Keeps schedules, and fires their slots.

use async_trait::async_trait;
use headwater_domain::jobs::{Schedule, ScheduleId};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Result, ScheduleStore};
use jiff::Timestamp;

use crate::SqliteStore;
use crate::columns::{count, parse_time, text, time_text};

#[async_trait]
impl ScheduleStore for SqliteStore {
    async fn save_schedule(&self, schedule: &Schedule) -> Result<()> {
        const OPERATION: &str = "save a schedule";
        let mut transaction = self.begin(OPERATION).await?;
        sqlx::query(
            "INSERT INTO schedules (tenant_id, id, owner, expression, time_zone, kind, payload, next_fire)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
             ON CONFLICT (tenant_id, id) DO UPDATE SET
                 owner = excluded.owner, expression = excluded.expression, time_zone = excluded.time_zone,
                 kind = excluded.kind, payload = excluded.payload, next_fire = excluded.next_fire",
        )
        .bind(&schedule.tenant.0)
        .bind(text(&schedule.id.0).as_ref())
        .bind(text(&schedule.owner).as_ref())
        .bind(text(&schedule.expression).as_ref())
        .bind(text(&schedule.time_zone).as_ref())
        .bind(text(&schedule.kind).as_ref())
        .bind(text(&schedule.payload).as_ref())
        .bind(schedule.next_fire.map(time_text))
        .execute(&mut *transaction)
        .await
        .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))
    }

    async fn schedule(&self, tenant: &TenantId, id: &ScheduleId) -> Result<Option<Schedule>> {
        let row: Option<Row> = sqlx::query_as(
            "SELECT tenant_id, id, owner, expression, time_zone, kind, payload, next_fire
             FROM schedules WHERE tenant_id = ?1 AND id = ?2",
        )
        .bind(&tenant.0)
        .bind(text(&id.0).as_ref())
        .fetch_optional(self.readers())
        .await
        .map_err(self.failed(READ))?;
        Ok(row.map(schedule))
    }

    async fn schedules(&self, tenant: &TenantId) -> Result<Vec<Schedule>> {
        let rows: Vec<Row> = sqlx::query_as(
            "SELECT tenant_id, id, owner, expression, time_zone, kind, payload, next_fire
             FROM schedules WHERE tenant_id = ?1 ORDER BY id",
        )
        .bind(&tenant.0)
        .fetch_all(self.readers())
        .await
        .map_err(self.failed(READ))?;
        Ok(rows.into_iter().map(schedule).collect())
    }

    async fn remove_schedule(&self, tenant: &TenantId, id: &ScheduleId) -> Result<bool> {
        const OPERATION: &str = "remove a schedule";
        let mut transaction = self.begin(OPERATION).await?;
        let removed = sqlx::query("DELETE FROM schedules WHERE tenant_id = ?1 AND id = ?2")
            .bind(&tenant.0)
            .bind(text(&id.0).as_ref())
            .execute(&mut *transaction)
            .await
            .map_err(self.failed(OPERATION))?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        Ok(removed.rows_affected() > 0)
    }

    async fn due(&self, now: Timestamp, limit: usize) -> Result<Vec<Schedule>> {
        let rows: Vec<Row> = sqlx::query_as(DUE)
            .bind(time_text(now))
            .bind(count(limit))
            .fetch_all(self.readers())
            .await
            .map_err(self.failed(READ))?;
        Ok(rows.into_iter().map(schedule).collect())
    }

    async fn fire(&self, schedule: &Schedule, next: Option<Timestamp>, max_attempts: u32) -> Result<bool> {
        const OPERATION: &str = "fire a schedule";
        let (Some(slot), Some(ring)) = (schedule.next_fire, schedule.ring(max_attempts)) else { return Ok(false) };
        let mut transaction = self.begin(OPERATION).await?;
        let fired =
            sqlx::query("UPDATE schedules SET next_fire = ?4 WHERE tenant_id = ?1 AND id = ?2 AND next_fire = ?3")
                .bind(&schedule.tenant.0)
                .bind(text(&schedule.id.0).as_ref())
                .bind(time_text(slot))
                .bind(next.map(time_text))
                .execute(&mut *transaction)
                .await
                .map_err(self.failed(OPERATION))?;
        if fired.rows_affected() == 0 {
            return Ok(false);
        }
        self.ring_within(&mut transaction, &ring).await?;
        transaction.commit().await.map_err(self.failed(OPERATION))?;
        self.bell().notify_one();
        Ok(true)
    }
}

/// A time that cannot be understood is none: the schedule rests, and whoever sets it right sets it going.
fn schedule(row: Row) -> Schedule {
    let (tenant, id, owner, expression, time_zone, kind, payload, next_fire) = row;
    Schedule {
        tenant: TenantId(tenant),
        id: ScheduleId(id),
        owner,
        expression,
        time_zone,
        kind,
        payload,
        next_fire: next_fire.as_deref().and_then(parse_time),
    }
}

/// `tenant_id`, `id`, `owner`, `expression`, `time_zone`, `kind`, `payload`, `next_fire`.
type Row = (String, String, String, String, String, String, String, Option<String>);

const DUE: &str = "SELECT tenant_id, id, owner, expression, time_zone, kind, payload, next_fire
     FROM schedules WHERE next_fire <= ?1 ORDER BY next_fire, tenant_id, id LIMIT ?2";

const READ: &str = "read the schedules";

#[cfg(test)]
mod tests;
