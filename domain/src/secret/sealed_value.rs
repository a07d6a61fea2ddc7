//! A value that must not be printed.

use std::fmt;

use zeroize::{Zeroize, ZeroizeOnDrop};

/// A value that never shows itself: `Debug` prints `***`, there is no `Display`, and memory is wiped on drop.
#[derive(Clone, PartialEq, Eq, Zeroize, ZeroizeOnDrop)]
pub struct Secret<T: Zeroize>(T);

impl<T: Zeroize> Secret<T> {
    /// Hides a value.
    pub fn new(value: T) -> Self {
        Self(value)
    }

    /// The value, for the one place that needs it.
    pub fn expose(&self) -> &T {
        &self.0
    }
}

impl<T: Zeroize> fmt::Debug for Secret<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
