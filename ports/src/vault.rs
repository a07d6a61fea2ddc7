//! How secrets become texts that may be stored, and back.

use headwater_domain::secret::{Sealed, Secret, SecretPlace};

use crate::Result;

/// Seals secrets with the active key, and opens what the active key or an older one sealed.
///
/// An adapter MUST bind a sealed text to its place, seal the same secret differently each time, keep keys and plain values
/// out of every message, and wipe its own copies of them.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Vault: Send + Sync {
    /// Seals a secret for its place, with the active key.
    ///
    /// # Errors
    /// `invalid_config` if there is no key: a secret is never stored as it is.
    fn seal(&self, place: &SecretPlace, plain: &Secret<String>) -> Result<Sealed>;

    /// Opens what is stored at a place. A text of before there were vaults, which nothing marks as sealed, opens as itself.
    ///
    /// # Errors
    /// `credentials_unreadable` if no present key opens it, or it was sealed for another place.
    fn open(&self, place: &SecretPlace, stored: &str) -> Result<Secret<String>>;

    /// The identifier of the key that seals; none: there is no key.
    fn active_key(&self) -> Option<String>;

    /// The identifiers of all present keys, the active one first.
    fn keys(&self) -> Vec<String>;
}
