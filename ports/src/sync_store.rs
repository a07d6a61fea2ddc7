//! Where runs of data sources leave their marks: leases, cursors and logs.

use async_trait::async_trait;
use headwater_domain::sync::{
    CursorChange, DataSource, DataSourceId, ErrorSample, Fence, LeasePolicy, ParkReason, Progress, RunEnd, RunId,
    SyncCursor, SyncLog, Trigger,
};
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::Result;

/// Keeps what makes runs exact. But for [`expired_runs`](Self::expired_runs), which serves the workers of an installation,
/// every method sees the rows of its tenant only.
///
/// A write that shows a [`Fence`] is checked and done in one transaction: it is refused ([`Fenced::Stale`]), and changes
/// nothing, as soon as another run has claimed the data source, or the run was ended or its source deleted.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait SyncStore: Send + Sync {
    /// Begins a run: claims the lease and opens the log, in one transaction.
    ///
    /// The lease of a run that died is taken over, and its log is `interrupted` then. A schedule begins only what is active;
    /// a person also what is paused or parked. After [`LeasePolicy::max_attempts`] dead runs in a row the source is parked.
    async fn begin_run(&self, tenant: &TenantId, data_source: &DataSourceId, claim: &RunClaim) -> Result<Begin>;

    /// A sign of life.
    async fn heartbeat(&self, fence: &Fence, now: Timestamp, policy: &LeasePolicy) -> Result<Fenced<()>>;

    /// Makes changes of the cursor and the progress durable, all of it or nothing; it is a sign of life, too. The cost is
    /// that of the changes, whatever the cursor holds.
    async fn checkpoint(
        &self,
        fence: &Fence,
        changes: &[CursorChange],
        progress: &Progress,
        now: Timestamp,
        policy: &LeasePolicy,
    ) -> Result<Fenced<()>>;

    /// Ends a run: last changes, last counts, the status they make, what it means for the source
    /// ([`DataSource::after_run`]), and the lease is free; all of it or nothing. Gives the log as it stands for good.
    async fn finish_run(&self, fence: &Fence, finish: &RunFinish, now: Timestamp) -> Result<Fenced<SyncLog>>;

    /// Ends a run from outside, as canceled; `false` if it is not under way. Its writes are refused from then on.
    async fn cancel_run(&self, tenant: &TenantId, run: &RunId, now: Timestamp) -> Result<bool>;

    /// The cursor of a data source, with no changes of its own; an empty one where there is none.
    async fn sync_cursor(&self, tenant: &TenantId, data_source: &DataSourceId) -> Result<SyncCursor>;

    /// Empties the cursor, so that everything is read anew.
    async fn reset_cursor(&self, fence: &Fence) -> Result<Fenced<()>>;

    /// The log of a run.
    async fn sync_log(&self, tenant: &TenantId, run: &RunId) -> Result<Option<SyncLog>>;

    /// At most `limit` logs of a data source, deleted or not, newest first, those of one time by their ids.
    async fn sync_logs(&self, tenant: &TenantId, data_source: &DataSourceId, page: &LogPage) -> Result<Vec<SyncLog>>;

    /// The newest log of each of these data sources, in any order; those without one are left out.
    async fn latest_sync_logs(&self, tenant: &TenantId, data_sources: &[DataSourceId]) -> Result<Vec<SyncLog>>;

    /// At most `limit` data sources, of any tenant, whose runs gave no sign of life in time: the longest dead first.
    async fn expired_runs(&self, now: Timestamp, limit: usize) -> Result<Vec<(TenantId, DataSourceId)>>;
}

/// Who wants to run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunClaim {
    /// The new run.
    pub run: RunId,
    /// What begins it.
    pub trigger: Trigger,
    /// When.
    pub now: Timestamp,
    /// How long the lease lasts, and how often runs may die.
    pub policy: LeasePolicy,
}

/// What came of a claim.
#[derive(Debug, Clone, PartialEq)]
pub enum Begin {
    /// The run has begun.
    Begun(Box<BegunRun>),
    /// Another one is under way: this is its log.
    AlreadyRunning(Box<SyncLog>),
    /// The source is paused or parked, and a schedule does not begin it.
    Resting(Box<DataSource>),
    /// Its runs died too often: it is parked now.
    Poisoned(Box<DataSource>),
    /// There is no such source.
    Missing,
}

/// A run that has begun.
#[derive(Debug, Clone, PartialEq)]
pub struct BegunRun {
    /// What its writes show.
    pub fence: Fence,
    /// The source as it stood then.
    pub source: DataSource,
    /// Its log.
    pub log: SyncLog,
    /// The dead run whose lease was taken over.
    pub interrupted: Option<RunId>,
}

/// How a run ends.
#[derive(Debug, Clone, PartialEq)]
pub struct RunFinish {
    /// What brought it to its end.
    pub end: RunEnd,
    /// The last changes of the cursor.
    pub changes: Vec<CursorChange>,
    /// All that it met.
    pub progress: Progress,
    /// What ended it before its time.
    pub error: Option<ErrorSample>,
    /// What a person must see to before the schedule goes on.
    pub park: Option<ParkReason>,
    /// Whether a person's yes to many deletions was used up.
    pub confirmation_used: bool,
}

/// Which logs are asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogPage {
    /// Those that come after the log of this run.
    pub after: Option<RunId>,
    /// So many of them are passed over.
    pub offset: usize,
    /// So many at most.
    pub limit: usize,
}

/// What came of a write that showed a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Fenced<T> {
    /// It is done.
    Done(T),
    /// It came too late and changed nothing: the run is not the present one any more. Stop.
    Stale,
}

impl RunFinish {
    /// An end with nothing left to write.
    pub fn new(end: RunEnd, progress: Progress) -> Self {
        Self { end, changes: Vec::new(), progress, error: None, park: None, confirmation_used: false }
    }
}

impl<T> Fenced<T> {
    /// What was done, if it was.
    pub fn done(self) -> Option<T> {
        match self {
            Self::Done(value) => Some(value),
            Self::Stale => None,
        }
    }
}
