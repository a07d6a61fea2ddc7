//! What wakes workers.

use std::time::Duration;

use async_trait::async_trait;
use headwater_domain::jobs::{Claim, Job, Ring, Waiting};
use headwater_domain::synthesis::source::TenantId;
use jiff::Timestamp;

use crate::Result;

/// A doorbell that workers on any number of machines hear: who rings, leaves a job; who asks, is given one, and nobody else
/// is while it is held.
///
/// What makes work exact is not the bell but the record that workers keep of their work: an answer to a ring may come late,
/// or twice after a crash. Methods that a claim is shown to see that job only; [`take`](Self::take) serves all tenants.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait JobQueue: Send + Sync {
    /// Rings, and says whether that left a job: a key of a tenant that has one already, waiting or held, rings once.
    async fn ring(&self, ring: &Ring) -> Result<bool>;

    /// Holds the job of one of these kinds that has been due longest, for as long as `lease` after this moment or the last
    /// [`extend`](Self::extend). Of concurrent callers each is given another job.
    ///
    /// The attempt is counted before this returns. A job whose lease has run out is there to be taken again; one that was
    /// taken as often as its ring allows is given up then, and its key is free.
    async fn take(&self, kinds: &[String], now: Timestamp, lease: Duration) -> Result<Option<Job>>;

    /// Goes on holding a job. `false`: it is another's, or gone.
    async fn extend(&self, claim: Claim, now: Timestamp) -> Result<bool>;

    /// Ends a job and frees its key. `false`: it is another's, or gone, and nothing changes.
    async fn done(&self, claim: Claim) -> Result<bool>;

    /// Lets go of a job whose work failed: it is there to be taken again from `retry_at` on; without a time, or after the
    /// last attempt, it is given up and its key is free. `false`: it is another's, or gone, and nothing changes.
    async fn failed(&self, claim: Claim, retry_at: Option<Timestamp>) -> Result<bool>;

    /// What is known of the job of a key, if there is one.
    async fn waiting<'a>(&self, tenant: &TenantId, key: &'a str) -> Result<Option<Waiting>>;

    /// Returns when somebody rings, or after `at_most`; it may return for no reason. Waiting for a job that is due later,
    /// or for one whose holder died, is the caller's business: it asks again in its own time.
    async fn heard(&self, at_most: Duration) -> Result<()>;
}
