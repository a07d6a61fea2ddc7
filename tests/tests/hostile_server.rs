//! Whether servers that break the rules, on purpose or not, get the better of the client.
//!
//! Each of them must end with its code, within its deadline, and without having been believed.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, helpers included")]

#[path = "hostile_server/bodies.rs"]
mod bodies;
#[path = "hostile_server/certificates.rs"]
mod certificates;
#[path = "hostile_server/client.rs"]
mod client;
#[path = "hostile_server/connections.rs"]
mod connections;
#[path = "hostile_server/heads.rs"]
mod heads;
#[path = "hostile_server/names.rs"]
mod names;
#[path = "hostile_server/proxies.rs"]
mod proxies;
#[path = "hostile_server/redirects.rs"]
mod redirects;
