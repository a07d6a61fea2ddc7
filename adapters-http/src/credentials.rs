//! What authorises a request, and where it may go.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use headwater_domain::secret::Secret;
use url::{Origin, Url};

/// The user information of a URL as a header for that URL's origin.
#[derive(Debug, Clone)]
pub(crate) struct Basic {
    origin: Origin,
    header: Secret<String>,
}

impl Basic {
    /// Takes user information out of the URL, so that it is neither sent in the request line nor shown.
    pub(crate) fn take_from(url: &mut Url) -> Option<Self> {
        let (user, password) = (url.username().to_owned(), url.password().map(str::to_owned));
        if user.is_empty() && password.is_none() {
            return None;
        }
        // Only URLs without a host refuse, and those have no user information.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        let pair = [decode(&user), b":".to_vec(), decode(&password.unwrap_or_default())].concat();
        let header = Secret::new(format!("Basic {}", STANDARD.encode(pair)));
        Some(Self { origin: url.origin(), header })
    }

    /// The value of `Authorization` for a URL, if it is of the origin that the user information was given for.
    pub(crate) fn header_for(&self, url: &Url) -> Option<&str> {
        (self.origin == url.origin()).then(|| self.header.expose().as_str())
    }
}

/// Undoes percent-encoding, to bytes.
pub(crate) fn decode(text: &str) -> Vec<u8> {
    let mut rest = text.as_bytes();
    let mut decoded = Vec::with_capacity(rest.len());
    while let Some((&first, tail)) = rest.split_first() {
        match tail.first_chunk().and_then(hex).filter(|_| first == b'%') {
            Some(value) => {
                decoded.push(value);
                rest = &tail[2..];
            }
            None => {
                decoded.push(first);
                rest = tail;
            }
        }
    }
    decoded
}

fn hex(digits: &[u8; 2]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(digits[0])? << 4 | digit(digits[1])?).ok()
}

#[cfg(test)]
mod tests;
