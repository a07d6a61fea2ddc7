//! How much memory a piece of work takes, and in how many allocations.

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The system's allocator, counting.
#[derive(Debug)]
pub struct Counting;

/// What a piece of work took.
#[derive(Debug, Clone, Copy)]
pub struct Used {
    /// The most bytes held at one time, beyond those held before.
    pub peak: usize,
    /// How many allocations.
    pub allocations: usize,
}

static HELD: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);
static COUNT: AtomicUsize = AtomicUsize::new(0);

/// Runs `work` once and says what it took.
pub fn measure<T>(work: impl FnOnce() -> T) -> Used {
    let before = HELD.load(Relaxed);
    PEAK.store(before, Relaxed);
    COUNT.store(0, Relaxed);
    drop(work());
    Used { peak: PEAK.load(Relaxed).saturating_sub(before), allocations: COUNT.load(Relaxed) }
}

fn grow(bytes: usize) {
    let held = HELD.fetch_add(bytes, Relaxed) + bytes;
    PEAK.fetch_max(held, Relaxed);
    COUNT.fetch_add(1, Relaxed);
}

// SAFETY: every call is handed on to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grow(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        grow(size);
        HELD.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(pointer, layout, size) }
    }
}
