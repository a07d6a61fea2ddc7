//! Connectors: the code that speaks to one kind of outside system, over ports alone.
//!
//! A connector keeps the contract of [`Connector`](headwater_ports::Connector). [`Delivery`] hands documents over so that
//! the cursor never runs ahead of the knowledge base, [`account`] asks a vendor's account at its pace and again where that
//! helps, and [`ConnectorRegistry`] holds the connectors of a program. `docs/writing-a-connector.md` builds one.

pub mod account;
mod delivery;
#[cfg(feature = "feishu")]
pub mod feishu;
#[cfg(feature = "folder")]
pub mod folder;
#[cfg(feature = "notion")]
pub mod notion;
mod registry;
#[cfg(feature = "rss")]
pub mod rss;
#[cfg(feature = "yuque")]
pub mod yuque;

pub use account::ConnectorPorts;
pub use delivery::Delivery;
pub use registry::{ConnectorRegistry, RegistryError};
