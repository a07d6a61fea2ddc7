//! Secrets: found in URLs and text, taken out of everything that is stored or shown, put back for one request.

mod private_url;
mod sealed_value;

pub use private_url::PrivateUrl;
pub use sealed_value::Secret;
