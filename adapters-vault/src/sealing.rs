//! How is one secret sealed and opened with one key?

use std::fmt;

use aws_lc_rs::aead::{AES_256_GCM, Aad, NONCE_LEN, Nonce, RandomizedNonceKey};
use headwater_domain::secret::{Secret, SecretPlace};
use zeroize::Zeroizing;

/// A key with its name. The library wipes the key when it is dropped.
pub(crate) struct Key {
    id: String,
    key: RandomizedNonceKey,
}

impl Key {
    /// Takes 32 bytes; none if they are not.
    pub(crate) fn new(id: &str, bytes: &[u8]) -> Option<Self> {
        Some(Self { id: id.to_owned(), key: RandomizedNonceKey::new(&AES_256_GCM, bytes).ok()? })
    }

    /// Its name.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// Nonce, ciphertext and tag, one after the other.
    pub(crate) fn seal(&self, associated: &[u8], plain: &[u8]) -> Option<Vec<u8>> {
        // Encrypted in place before the tag is added, so that no copy of the plain text stays behind a reallocation.
        let mut body = Vec::with_capacity(plain.len() + TAG_LEN);
        body.extend_from_slice(plain);
        let nonce = self.key.seal_in_place_append_tag(Aad::from(associated), &mut body).ok()?;
        Some([nonce.as_ref().as_slice(), &body].concat())
    }

    /// The secret; none if this key did not seal exactly this for exactly this place.
    pub(crate) fn open(&self, associated: &[u8], body: Vec<u8>) -> Option<Secret<String>> {
        let mut body = Zeroizing::new(body);
        let (nonce, sealed) = body.split_at_mut_checked(NONCE_LEN)?;
        let nonce = Nonce::try_assume_unique_for_key(nonce).ok()?;
        let plain = self.key.open_in_place(nonce, Aad::from(associated), sealed).ok()?;
        std::str::from_utf8(plain).ok().map(|plain| Secret::new(plain.to_owned()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Key").field(&self.id).finish()
    }
}

/// What binds a sealed text to its place: tenant, owner and field, each after its length, so that no two places give the
/// same bytes.
pub(crate) fn associated_data(place: &SecretPlace) -> Vec<u8> {
    let mut bytes = b"headwater secret 2".to_vec();
    for part in [&place.tenant.0, &place.owner, &place.field] {
        bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
        bytes.extend_from_slice(part.as_bytes());
    }
    bytes
}

const TAG_LEN: usize = 16;

#[cfg(test)]
mod tests;
