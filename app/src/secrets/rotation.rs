//! How every stored secret comes under the active key.

use std::collections::BTreeMap;

use headwater_domain::ErrorKind;
use headwater_domain::secret::{SecretPlace, StoredSecret};
use headwater_ports::{Error, Result, SecretStore, Vault};

/// What a rotation did.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Rotation {
    /// Secrets that were sealed anew.
    pub(crate) rotated: usize,
    /// Secrets that were under the active key already.
    pub(crate) current: usize,
    /// Secrets that no present key opens: kept as they are, and marked.
    pub(crate) quarantined: Vec<StoredSecret>,
}

/// Where the stored secrets stand.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Standing {
    /// How many secrets each key sealed. A key of the ring without any may be dropped, unless it is the active one.
    pub(crate) secrets_by_key: BTreeMap<String, usize>,
    /// Secrets that no key opened when keys were last rotated.
    pub(crate) quarantined: Vec<StoredSecret>,
}

/// Seals every secret that is under another key anew with the active one.
///
/// Each secret is one compare-and-set: a rotation that is stopped at any point is simply begun again, and a secret that
/// somebody replaces meanwhile stays as they wrote it.
///
/// # Errors
/// `invalid_config` if there is no active key; `store`.
pub(crate) async fn rotate(store: &dyn SecretStore, vault: &dyn Vault) -> Result<Rotation> {
    let Some(active) = vault.active_key() else {
        return Err(Error::new(ErrorKind::InvalidConfig, "rotate the vault keys", "there is no vault key")
            .with_hint("make one with `headwater key generate` and set HEADWATER__VAULT__KEYS"));
    };
    let mut rotation = Rotation::default();
    let mut after: Option<SecretPlace> = None;
    loop {
        let page = store.page(after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(rotation) };
        after = Some(last.place.clone());
        for secret in page {
            if secret.sealed.key_id == active {
                rotation.current += 1;
            } else {
                rotate_one(store, vault, secret, &mut rotation).await?;
            }
        }
    }
}

/// Counts the stored secrets by key.
pub(crate) async fn standing(store: &dyn SecretStore) -> Result<Standing> {
    let mut standing = Standing::default();
    let mut after: Option<SecretPlace> = None;
    loop {
        let page = store.page(after.as_ref(), PAGE).await?;
        let Some(last) = page.last() else { return Ok(standing) };
        after = Some(last.place.clone());
        for secret in page {
            *standing.secrets_by_key.entry(secret.sealed.key_id.clone()).or_default() += 1;
            if secret.quarantined {
                standing.quarantined.push(secret);
            }
        }
    }
}

async fn rotate_one(
    store: &dyn SecretStore,
    vault: &dyn Vault,
    secret: StoredSecret,
    rotation: &mut Rotation,
) -> Result<()> {
    let text = &secret.sealed.text;
    match vault.open(&secret.place, text) {
        Ok(plain) => {
            let sealed = vault.seal(&secret.place, &plain)?;
            rotation.rotated += usize::from(store.replace_secret(&secret.place, text, &sealed).await?);
        }
        Err(error) if error.kind == ErrorKind::CredentialsUnreadable => {
            if store.quarantine_secret(&secret.place, text).await? {
                rotation.quarantined.push(secret);
            }
        }
        Err(error) => return Err(error),
    }
    Ok(())
}

/// So many secrets are looked at at once.
const PAGE: usize = 200;

#[cfg(test)]
mod tests;
