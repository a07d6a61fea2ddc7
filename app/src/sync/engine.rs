//! How does one run of a data source go, from its lease to its log?

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::sync::{
    CursorChange, DataSource, DataSourceConfig, DataSourceId, DeletionGuard, ErrorSample, Fence, LeasePolicy,
    ParkReason, RunEnd, RunId, SyncCursor, SyncLog, SyncMode, Trigger,
};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Begin, BegunRun, Clock, Connector, Error, Fenced, Result, RunClaim, RunFinish, Store, Timer};

use super::handler::RunHandler;

/// Runs data sources, one run at a time each, whoever else runs them on whatever machine.
///
/// A run holds a lease and gives signs of life; documents are kept before the cursor knows of them; what ends a run is in
/// its log. Dropping the future ends it as a crash does: the lease expires, and the next run goes on where the last
/// checkpoint stands.
pub(crate) struct Engine {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) clock: Arc<dyn Clock>,
    pub(crate) timer: Arc<dyn Timer>,
    pub(crate) policy: EnginePolicy,
}

/// What an engine goes by.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct EnginePolicy {
    /// How long a lease lasts, and how often runs may die.
    pub(crate) lease: LeasePolicy,
    /// How many deletions wait for a person.
    pub(crate) guard: DeletionGuard,
}

/// Which run is wanted.
#[derive(Debug, Clone)]
pub(crate) struct RunRequest {
    /// Whose data source.
    pub(crate) tenant: TenantId,
    /// Which one.
    pub(crate) data_source: DataSourceId,
    /// What the run is called.
    pub(crate) run: RunId,
    /// What begins it.
    pub(crate) trigger: Trigger,
    /// How much is read.
    pub(crate) reading: Reading,
}

/// How much is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// As the data source says.
    AsConfigured,
    /// Everything.
    Everything,
}

/// What came of a run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum RunOutcome {
    /// It has ended: this is its log.
    Finished(Box<SyncLog>),
    /// Another one is under way: this is its log.
    AlreadyRunning(Box<SyncLog>),
    /// The source is paused or parked.
    Resting(Box<DataSource>),
    /// Its runs died too often: it is parked.
    Poisoned(Box<DataSource>),
    /// There is no such source.
    Missing,
    /// It was canceled, or another run took its place: nothing more was written.
    Superseded,
}

impl Engine {
    /// Runs a data source through its connector, with its opened configuration.
    ///
    /// # Errors
    /// Only what kept the store from beginning or ending the run. What went wrong in between is in the log.
    pub(crate) async fn run(
        &self,
        connector: &dyn Connector,
        config: &DataSourceConfig,
        request: &RunRequest,
    ) -> Result<RunOutcome> {
        let claim = RunClaim {
            run: request.run.clone(),
            trigger: request.trigger,
            now: self.clock.now(),
            policy: self.policy.lease,
        };
        let begun = match self.store.begin_run(&request.tenant, &request.data_source, &claim).await? {
            Begin::Begun(begun) => begun,
            Begin::AlreadyRunning(log) => return Ok(RunOutcome::AlreadyRunning(log)),
            Begin::Resting(source) => return Ok(RunOutcome::Resting(source)),
            Begin::Poisoned(source) => return Ok(RunOutcome::Poisoned(source)),
            Begin::Missing => return Ok(RunOutcome::Missing),
        };
        let cursor = self.store.sync_cursor(&request.tenant, &request.data_source).await?;
        let mut handler = RunHandler::new(self, &begun, cursor.len() as u64);
        let everything = request.reading == Reading::Everything || begun.source.sync_mode == SyncMode::Full;
        let cursor = if everything { read_anew(&cursor) } else { cursor };
        let end = tokio::select! {
            biased;
            end = connector.fetch_stream(config, cursor, &mut handler) => end,
            () = self.keep_lease(&begun.fence) => Err(superseded()),
        };
        self.finish(&begun, handler, end).await
    }

    /// Gives signs of life until the lease is another run's. A store that cannot be reached for a while loses nothing:
    /// whether the run may still write is asked with every write.
    async fn keep_lease(&self, fence: &Fence) {
        loop {
            self.timer.sleep(self.policy.lease.duration / 3).await;
            if let Ok(Fenced::Stale) = self.store.heartbeat(fence, self.clock.now(), &self.policy.lease).await {
                return;
            }
        }
    }

    async fn finish(&self, begun: &BegunRun, handler: RunHandler<'_>, end: Result<SyncCursor>) -> Result<RunOutcome> {
        let mut finish = RunFinish {
            confirmation_used: handler.confirmation_used(),
            ..RunFinish::new(RunEnd::Complete, handler.into_progress())
        };
        match end {
            Ok(mut cursor) => finish.changes = cursor.take_changes(),
            Err(error) => {
                finish.end = RunEnd::Broken;
                finish.park = park_reason(error.kind);
                finish.error = Some(ErrorSample::new(error.kind, &error.to_string()));
            }
        }
        // A run that was superseded is refused here like everywhere else.
        match self.store.finish_run(&begun.fence, &finish, self.clock.now()).await? {
            Fenced::Done(log) => Ok(RunOutcome::Finished(Box::new(log))),
            Fenced::Stale => Ok(RunOutcome::Superseded),
        }
    }
}

/// What a write that came too late ends a run with.
pub(super) fn superseded() -> Error {
    Error::new(ErrorKind::Interrupted, "sync a data source", "another run took this one's place, or it was canceled")
}

/// The cursor with every document known and none as it is: all of them are read, and those that are gone are found.
fn read_anew(cursor: &SyncCursor) -> SyncCursor {
    let mut anew = SyncCursor::default();
    for resource in cursor.resources() {
        for (external_id, _) in cursor.known(resource) {
            let (resource, external_id) = (resource.to_owned(), external_id.to_owned());
            anew.apply(CursorChange::Known { resource, external_id, version: String::new() });
        }
    }
    anew
}

/// What a person must see to before a schedule makes sense again. Everything else may pass by itself.
fn park_reason(kind: ErrorKind) -> Option<ParkReason> {
    match kind {
        ErrorKind::InvalidCredentials | ErrorKind::Auth => Some(ParkReason::InvalidCredentials),
        ErrorKind::CredentialsUnreadable => Some(ParkReason::CredentialsUnreadable),
        ErrorKind::InvalidConfig | ErrorKind::ConnectorNotFound => Some(ParkReason::InvalidConfig),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
