//! Where sealed secrets are kept.

use async_trait::async_trait;
use headwater_domain::secret::{Sealed, SecretPlace, StoredSecret};
use headwater_domain::synthesis::source::TenantId;

use crate::Result;

/// Keeps sealed secrets, each at its place. The store never sees a plain one.
///
/// But for [`page`](Self::page), which serves the rotation of keys, every method sees the rows of one tenant only.
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait SecretStore: Send + Sync {
    /// The secret at a place.
    async fn secret(&self, place: &SecretPlace) -> Result<Option<StoredSecret>>;

    /// The secrets of one field of many owners, in any order; owners without one are left out.
    async fn secrets_of<'a>(&self, tenant: &TenantId, owners: &[String], field: &'a str) -> Result<Vec<StoredSecret>>;

    /// Stores secrets, all of them or none; each replaces what was at its place, and is not quarantined.
    async fn save_secrets(&self, secrets: &[(SecretPlace, Sealed)]) -> Result<()>;

    /// Removes all secrets of an owner, and says how many there were.
    async fn remove_secrets<'a>(&self, tenant: &TenantId, owner: &'a str) -> Result<u64>;

    /// At most `limit` secrets of all tenants after `after`, in the order of their places.
    async fn page<'a>(&self, after: Option<&'a SecretPlace>, limit: usize) -> Result<Vec<StoredSecret>>;

    /// Replaces a secret that still has the text `expected`, and ends its quarantine: compare-and-set.
    async fn replace_secret<'a>(&self, place: &SecretPlace, expected: &'a str, new: &Sealed) -> Result<bool>;

    /// Marks a secret that still has the text `expected` as one that no present key opens. The text stays.
    async fn quarantine_secret<'a>(&self, place: &SecretPlace, expected: &'a str) -> Result<bool>;
}
