//! The guarded HTTP client: the only way out of Headwater.
//!
//! [`HyperFetcher`] implements the fetcher port. Where it may go is decided by `headwater_domain::net`; here that decision
//! is obeyed at the URL, after the names are resolved, at the dial, and at every redirect.

mod body;
mod coding;
mod config;
mod connection;
mod credentials;
mod dial;
mod error;
mod exchange;
mod fetcher;
mod inflate;
mod link;
mod mail;
mod pool;
mod proxy;
mod race;
mod redirect;
mod request;
mod resolver;
mod tls;
mod turns;
mod vigil;

pub use config::{ConnectTo, HttpConfig, ParseConnectToError};
pub use fetcher::HyperFetcher;
pub use mail::MailDialler;
pub use resolver::SystemResolver;
