//! Connectors: the code that speaks to one kind of outside system, over ports alone.

#[cfg(any(feature = "feishu", feature = "notion", feature = "yuque"))]
mod account;
#[cfg(feature = "rss")]
pub mod rss;

#[cfg(any(feature = "feishu", feature = "notion", feature = "yuque"))]
pub use account::ConnectorPorts;
