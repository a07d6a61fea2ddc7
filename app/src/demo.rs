//! Which small web the binary brings along, and how it is served on loopback for `headwater demo`.

mod answer;
mod feeds;
pub(crate) mod introduction;
mod markup;
mod pages;
mod server;
pub(crate) mod world;

pub(crate) use server::DemoServer;
pub(crate) use world::World;

#[cfg(test)]
mod tests;
