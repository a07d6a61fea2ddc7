//! What to do after failures: waits, breakers, and what servers ask for.

mod backoff;
mod breaker;
mod host_waits;
mod patience;
mod request_rate;
mod retries;
mod retry_after;
pub(crate) mod span;

pub use backoff::{Backoff, jittered};
pub use breaker::{Breaker, BreakerPolicy, Circuit, Permit};
pub use host_waits::{HostWaits, MAX_HOSTS};
pub use patience::{Patience, may_pass};
pub use request_rate::RequestRate;
pub use retries::Retries;
pub use retry_after::{WAIT_HEADERS, asked_wait};

#[cfg(test)]
mod tests;
