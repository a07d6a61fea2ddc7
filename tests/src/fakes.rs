//! Fakes: ports that keep their contract in memory, for tests that need no adapter.

mod fake_clock;
mod fake_timer;
mod memory_knowledge_base;
mod memory_store;
mod scripted_fetcher;

pub use fake_clock::FakeClock;
pub use fake_timer::FakeTimer;
pub use memory_knowledge_base::MemoryKnowledgeBase;
pub use memory_store::MemoryStore;
pub use scripted_fetcher::{ScriptedFetcher, answer};
