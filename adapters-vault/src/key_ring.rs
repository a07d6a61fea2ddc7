//! Which keys are there, which of them seals, and which opens a given text?

use aws_lc_rs::rand;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use headwater_domain::ErrorKind;
use headwater_domain::secret::{Sealed, Secret, SecretPlace};
use headwater_ports::{Error, Result, Vault};
use zeroize::Zeroizing;

use crate::sealing::{Key, associated_data};

/// The keys of an installation: the first one seals, every one opens what it sealed.
///
/// # Examples
/// ```
/// use headwater_adapters_vault::{KeyRing, new_key};
/// use headwater_domain::secret::{Secret, SecretPlace};
/// use headwater_domain::synthesis::source::TenantId;
/// use headwater_ports::Vault;
///
/// # fn main() -> Result<(), headwater_ports::Error> {
/// let ring = KeyRing::parse(new_key("k1")?.expose())?;
/// let place = SecretPlace::new(&TenantId::default(), "a source", "url");
/// let sealed = ring.seal(&place, &Secret::new("hunter2".to_owned()))?;
/// assert!(sealed.text.starts_with("enc:v2:k1:"));
/// assert_eq!(ring.open(&place, &sealed.text)?.expose(), "hunter2");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Default)]
pub struct KeyRing {
    /// The active key first.
    keys: Vec<Key>,
    /// Opens `enc:v1:` texts.
    legacy: Option<Key>,
}

impl KeyRing {
    /// Reads `<id>:<key>` entries, apart by commas or white space; the first is active. A key is 32 bytes in base64url.
    ///
    /// The id `v1` is that of the key of an older system, whose 32 bytes may also stand there as they are: it opens
    /// `enc:v1:` texts and never seals. An empty text is an empty ring, which opens plain texts and seals nothing.
    ///
    /// # Errors
    /// `invalid_config` with the entry that is wrong, without its key.
    pub fn parse(text: &str) -> Result<Self> {
        let mut ring = Self::default();
        let entries =
            text.split(|letter: char| letter == ',' || letter.is_whitespace()).filter(|entry| !entry.is_empty());
        for (index, entry) in entries.enumerate() {
            let wrong = |what: &str| {
                Error::new(ErrorKind::InvalidConfig, "read the vault keys", format!("vault key {}: {what}", index + 1))
                    .with_hint("write `<id>:<key>`; `headwater key generate` makes one")
            };
            let (id, encoded) = entry.split_once(':').ok_or_else(|| wrong("it has no `<id>:` before the key"))?;
            if id.is_empty() || id.len() > MAX_ID_LEN || !id.bytes().all(is_id_byte) {
                return Err(wrong("its id is not made of at most 32 lower-case letters, digits and hyphens"));
            }
            if ring.has(id) {
                return Err(wrong("its id is that of an earlier key"));
            }
            let bytes = key_bytes(id, encoded).ok_or_else(|| wrong("the key is not 32 bytes in base64url"))?;
            let key = Key::new(id, &bytes).ok_or_else(|| wrong("the key cannot be used"))?;
            if id == LEGACY_ID { ring.legacy = Some(key) } else { ring.keys.push(key) }
        }
        Ok(ring)
    }

    fn has(&self, id: &str) -> bool {
        self.keys.iter().chain(&self.legacy).any(|key| key.id() == id)
    }
}

/// A new random key as an entry of [`KeyRing::parse`].
///
/// # Errors
/// `internal` if the system has no randomness to give.
pub fn new_key(id: &str) -> Result<Secret<String>> {
    let mut bytes = Zeroizing::new([0; KEY_LEN]);
    rand::fill(bytes.as_mut_slice())
        .map_err(|_| Error::new(ErrorKind::Internal, "make a vault key", "the system gives no random bytes"))?;
    let mut entry = String::with_capacity(id.len() + 1 + KEY_LEN * 2);
    entry.push_str(id);
    entry.push(':');
    URL_SAFE_NO_PAD.encode_string(bytes.as_slice(), &mut entry);
    Ok(Secret::new(entry))
}

impl Vault for KeyRing {
    fn seal(&self, place: &SecretPlace, plain: &Secret<String>) -> Result<Sealed> {
        let key = self.keys.first().ok_or_else(|| {
            Error::new(
                ErrorKind::InvalidConfig,
                "seal a secret",
                "there is no vault key, and a secret is not stored without",
            )
            .with_hint("make one with `headwater key generate` and set HEADWATER__VAULT__KEYS")
        })?;
        let body = key
            .seal(&associated_data(place), plain.expose().as_bytes())
            .ok_or_else(|| Error::new(ErrorKind::Internal, "seal a secret", "the cipher refused"))?;
        let text = format!("{V2}{}:{}", key.id(), URL_SAFE_NO_PAD.encode(body));
        Ok(Sealed { key_id: key.id().to_owned(), text })
    }

    fn open(&self, place: &SecretPlace, stored: &str) -> Result<Secret<String>> {
        if let Some(rest) = stored.strip_prefix(V2) {
            let (id, body) = rest.split_once(':').ok_or_else(|| unreadable("its text is cut"))?;
            let key = self.keys.iter().find(|key| key.id() == id);
            let key = key.ok_or_else(|| unreadable(&format!("its key {id:.32} is not in the ring")))?;
            return open_with(key, &associated_data(place), body);
        }
        if let Some(body) = stored.strip_prefix(V1) {
            let key = self.legacy.as_ref().ok_or_else(|| unreadable("its key v1 is not in the ring"))?;
            return open_with(key, &[], body);
        }
        if stored.starts_with("enc:") {
            return Err(unreadable("its form is unknown: a newer version may have sealed it"));
        }
        Ok(Secret::new(stored.to_owned()))
    }

    fn active_key(&self) -> Option<String> {
        self.keys.first().map(|key| key.id().to_owned())
    }

    fn keys(&self) -> Vec<String> {
        self.keys.iter().chain(&self.legacy).map(|key| key.id().to_owned()).collect()
    }
}

fn open_with(key: &Key, associated: &[u8], body: &str) -> Result<Secret<String>> {
    let body = URL_SAFE_NO_PAD.decode(body).map_err(|_| unreadable("its text is damaged"))?;
    key.open(associated, body)
        .ok_or_else(|| unreadable("the key is another, or the text is damaged or from another place"))
}

fn unreadable(why: &str) -> Error {
    Error::new(ErrorKind::CredentialsUnreadable, "open a secret", format!("the stored secret cannot be opened: {why}"))
        .with_hint("put the key that sealed it back into HEADWATER__VAULT__KEYS, or enter the secret anew")
}

fn key_bytes(id: &str, encoded: &str) -> Option<Zeroizing<Vec<u8>>> {
    if id == LEGACY_ID && encoded.len() == KEY_LEN {
        return Some(Zeroizing::new(encoded.as_bytes().to_vec()));
    }
    let bytes = Zeroizing::new(URL_SAFE_NO_PAD.decode(encoded.trim_end_matches('=')).ok()?);
    (bytes.len() == KEY_LEN).then_some(bytes)
}

fn is_id_byte(byte: u8) -> bool {
    byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'
}

const V1: &str = "enc:v1:";
const V2: &str = "enc:v2:";
const LEGACY_ID: &str = "v1";
const KEY_LEN: usize = 32;
const MAX_ID_LEN: usize = 32;

#[cfg(test)]
mod tests;
