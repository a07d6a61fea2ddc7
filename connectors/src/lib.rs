//! Connectors: the code that speaks to one kind of outside system, over ports alone.

#[cfg(feature = "yuque")]
mod account;
#[cfg(feature = "yuque")]
mod checkpoints;
#[cfg(feature = "rss")]
pub mod rss;
#[cfg(feature = "yuque")]
pub mod yuque;

#[cfg(feature = "yuque")]
pub use account::ConnectorPorts;
