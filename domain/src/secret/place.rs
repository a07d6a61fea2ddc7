//! Where a sealed secret belongs.

use serde::{Deserialize, Serialize};

use crate::synthesis::source::TenantId;

/// Where a sealed secret belongs: whose it is, what it opens, and which field of that.
///
/// A vault binds what it seals to its place, so that a sealed value that is moved to another row cannot be opened there.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SecretPlace {
    /// The tenant.
    pub tenant: TenantId,
    /// The identifier of what the secret belongs to: a source, a data source.
    pub owner: String,
    /// Which of its fields.
    pub field: String,
}

/// A secret as it may be stored: a text that only the right key opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sealed {
    /// Which key sealed it.
    pub key_id: String,
    /// The sealed text, its own name of the key included.
    pub text: String,
}

/// A stored secret with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoredSecret {
    /// Where it belongs.
    pub place: SecretPlace,
    /// What is stored.
    pub sealed: Sealed,
    /// No present key opened it when keys were last rotated. It is kept: its key may come back.
    pub quarantined: bool,
}

impl SecretPlace {
    /// The place of a field.
    pub fn new(tenant: &TenantId, owner: &str, field: &str) -> Self {
        Self { tenant: tenant.clone(), owner: owner.to_owned(), field: field.to_owned() }
    }
}
