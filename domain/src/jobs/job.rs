//! What is rung for, and what who answers the ring is given.

use jiff::Timestamp;

use crate::synthesis::source::TenantId;

/// A wish that something be done: at the earliest when, and at the most how often it is tried.
///
/// A ring wakes a worker and is no record of the work: what was done stands in the tables of those who do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ring {
    /// Whose job it is.
    pub tenant: TenantId,
    /// What makes two rings one. With the tenant's name at most 200 characters.
    pub key: String,
    /// Which kind of work it is; workers ask for kinds.
    pub kind: String,
    /// What the worker must know. No secret: queues print it.
    pub payload: String,
    /// The job is not given to anybody before.
    pub not_before: Timestamp,
    /// So often at most is the job given to somebody. Counted as it is given, so that one that kills its workers ends too.
    pub max_attempts: u32,
}

/// A job as a worker holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Whose job it is.
    pub tenant: TenantId,
    /// The key of its ring.
    pub key: String,
    /// Which kind of work it is.
    pub kind: String,
    /// What the worker must know.
    pub payload: String,
    /// What the worker shows when it says how the work went.
    pub claim: Claim,
    /// So often at most is it given to somebody.
    pub max_attempts: u32,
}

/// Which job is held, and in which attempt: a later attempt makes an earlier claim void.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The job's number, which no other job ever has.
    pub job: i64,
    /// Which attempt this is; the first is 1.
    pub attempt: u32,
}

/// A job that was rung for and is not done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Waiting {
    /// When it is due.
    pub not_before: Timestamp,
    /// How often it was given to somebody.
    pub attempts: u32,
    /// When the worker that holds it was last heard of; none: nobody holds it.
    pub claimed_at: Option<Timestamp>,
}
