//! Work that is waited for: what rings for it, and the schedules that do so in time.

mod job;
mod schedule;

pub use job::{Claim, Job, Ring, Waiting};
pub use schedule::{Schedule, ScheduleId};

#[cfg(test)]
mod tests;
