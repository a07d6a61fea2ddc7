//! Addresses and URLs: where Headwater may go, and when two URLs are one.

mod address;
mod exemptions;
mod normal_form;
mod site;
mod url_guard;

pub use address::{Inside, inside};
pub use exemptions::{Exemptions, ParseExemptionError};
pub use normal_form::{display_form, normal_form};
pub use site::same_site;
pub use url_guard::{MAX_URL_BYTES, Refusal, UrlGuard};
