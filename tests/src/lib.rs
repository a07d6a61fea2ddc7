//! The test kit of Headwater: fakes, stand-in servers, contract suites and fixtures, for the tests of every crate.
//!
//! It plays the world outside: it listens and dials on loopback, writes broken bytes on purpose, and moves a clock of
//! its own. It depends on `domain` and `ports` alone, so that any crate may use it in its tests. The rules of the house
//! and the end-to-end tests stand beside it, in `tests/tests`.

pub mod chat;
pub mod contract;
pub mod fakes;
pub mod mail;
pub mod postgres;
pub mod server;
pub mod site;
pub mod stand_in;
