//! Secrets: found in URLs and text, taken out of everything that is stored or shown, put back for one request.

mod encoding;
mod glance;
mod names;
mod params;
mod path;
mod place;
mod private_url;
mod redact;
mod redacted;
mod scan;
mod sealed_value;
mod shape;

pub use params::{SecretParams, UnredactError, extract_masked_params, extract_secret_params, unredact_url};
pub use place::{Sealed, SecretPlace, StoredSecret};
pub use private_url::PrivateUrl;
pub(crate) use redact::redacted_pieces;
pub use redact::{mask_url, redact_content, redact_text, redact_url};
pub use redacted::Redacted;
pub use sealed_value::Secret;

#[cfg(test)]
mod tests;
