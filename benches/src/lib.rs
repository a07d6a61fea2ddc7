//! What the benches share: the input, and an allocator that counts.

pub mod feeds;
pub mod heap;
