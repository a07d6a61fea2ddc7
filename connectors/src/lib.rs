//! Connectors: the code that speaks to one kind of outside system, over ports alone.

#[cfg(feature = "rss")]
pub mod rss;
