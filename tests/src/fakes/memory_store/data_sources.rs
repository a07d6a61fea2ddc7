//! How data sources are kept in memory.

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::sync::{DataSource, DataSourceChange, DataSourceId, DataSourceStatus, RunEnd, RunStatus};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Changed, DataSourceQuery, DataSourceStore, Error, Result};
use jiff::Timestamp;

use super::{MemoryStore, Rows, clean, microseconds};

#[async_trait]
impl DataSourceStore for MemoryStore {
    async fn create_data_source(&self, source: &DataSource) -> Result<()> {
        check(source)?;
        let mut rows = self.rows();
        let place = (source.tenant.clone(), source.id.clone());
        if rows.data_sources.contains_key(&place) {
            return Err(Error::new(ErrorKind::Store, "create a data source", "two data sources claim one id"));
        }
        rows.data_sources.insert(place, stored(source));
        Ok(())
    }

    async fn data_source(&self, tenant: &TenantId, id: &DataSourceId) -> Result<Option<DataSource>> {
        Ok(self.rows().present(tenant, id))
    }

    async fn data_sources(&self, tenant: &TenantId, query: &DataSourceQuery) -> Result<Vec<DataSource>> {
        let rows = self.rows();
        let order = |source: &DataSource| (source.created_at, source.id.clone());
        let after = query.after.as_ref().map(|id| rows.data_sources.get(&(tenant.clone(), id.clone())).map(order));
        let mut found: Vec<_> = rows
            .data_sources
            .values()
            .filter(|source| source.tenant == *tenant && source.status != DataSourceStatus::Deleted)
            .filter(|source| query.knowledge_base.as_ref().is_none_or(|base| source.knowledge_base == *base))
            .filter(|source| {
                after.as_ref().is_none_or(|after| after.as_ref().is_some_and(|after| order(source) < *after))
            })
            .cloned()
            .collect();
        found.sort_by_key(|source| std::cmp::Reverse(order(source)));
        found.truncate(query.limit);
        Ok(found)
    }

    async fn change_data_source(
        &self,
        tenant: &TenantId,
        id: &DataSourceId,
        expected: u64,
        change: &DataSourceChange,
        now: Timestamp,
    ) -> Result<Changed> {
        let mut rows = self.rows();
        let Some(source) = rows.present(tenant, id) else { return Ok(Changed::Missing) };
        if source.revision != expected {
            return Ok(Changed::Conflict(Box::new(source)));
        }
        let changed = source.changed(change, now);
        check(&changed)?;
        let changed = stored(&changed);
        rows.data_sources.insert((tenant.clone(), id.clone()), changed.clone());
        Ok(Changed::Done(Box::new(changed)))
    }

    async fn delete_data_source(&self, tenant: &TenantId, id: &DataSourceId, now: Timestamp) -> Result<bool> {
        let mut rows = self.rows();
        let Some(source) = rows.present(tenant, id) else { return Ok(false) };
        let place = (tenant.clone(), id.clone());
        let deleted =
            DataSource { status: DataSourceStatus::Deleted, updated_at: now, revision: source.revision + 1, ..source };
        rows.data_sources.insert(place.clone(), stored(&deleted));
        rows.secrets.retain(|secret, _| (&secret.tenant, &secret.owner) != (tenant, &id.0));
        rows.cursors.remove(&place);
        if let Some(lease) = rows.leases.get_mut(&place)
            && let Some(run) = lease.run.clone()
        {
            lease.release(lease.token);
            rows.end_log(tenant, &run, RunEnd::Canceled, now);
        }
        Ok(true)
    }
}

impl Rows {
    /// The source, if it is not deleted.
    pub(super) fn present(&self, tenant: &TenantId, id: &DataSourceId) -> Option<DataSource> {
        let source = self.data_sources.get(&(tenant.clone(), id.clone()))?;
        (source.status != DataSourceStatus::Deleted).then(|| source.clone())
    }

    /// Writes what the end of a run means for its source.
    pub(super) fn after_run(
        &mut self,
        place: &(TenantId, DataSourceId),
        change: impl FnOnce(DataSource) -> DataSource,
    ) {
        if let Some(source) = self.data_sources.remove(place) {
            self.data_sources.insert(place.clone(), stored(&change(source)));
        }
    }

    /// Ends the log of a run that is under way; what it counted stays.
    pub(super) fn end_log(
        &mut self,
        tenant: &TenantId,
        run: &headwater_domain::sync::RunId,
        end: RunEnd,
        now: Timestamp,
    ) {
        if let Some(log) = self.logs.get_mut(&(tenant.clone(), run.clone()))
            && log.status == RunStatus::Running
        {
            log.status = log.status.after(end, &log.counts);
            log.finished_at = Some(microseconds(now));
        }
    }
}

fn check(source: &DataSource) -> Result<()> {
    source.check().map_err(|fault| Error::new(ErrorKind::InvalidConfig, "keep a data source", fault.to_string()))
}

fn stored(source: &DataSource) -> DataSource {
    DataSource {
        name: clean(&source.name),
        created_at: microseconds(source.created_at),
        updated_at: microseconds(source.updated_at),
        last_sync_at: source.last_sync_at.map(microseconds),
        ..source.clone()
    }
}
