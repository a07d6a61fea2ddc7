//! Which small web the binary brings along, and how it is served on loopback for `headwater demo`.

pub(crate) mod answer;
pub(crate) mod feeds;
pub(crate) mod markup;
pub(crate) mod pages;
pub(crate) mod server;
pub(crate) mod world;

pub(crate) use server::DemoServer;
pub(crate) use world::World;

#[cfg(test)]
mod tests;
