//! Fakes: ports that keep their contract in memory, for tests that need no adapter.

mod fake_clock;
mod memory_store;

pub use fake_clock::FakeClock;
pub use memory_store::MemoryStore;
