//! Addresses, URLs and media types: where Headwater may go, when two URLs are one, and what an answer says it is.

mod address;
mod exemptions;
mod media_type;
mod normal_form;
mod site;
mod url_guard;

pub use address::{Inside, inside};
pub use exemptions::{Exemptions, ParseExemptionError};
pub use media_type::{charset_of, essence_of};
pub use normal_form::{display_form, normal_form};
pub use site::same_site;
pub use url_guard::{MAX_URL_BYTES, Refusal, UrlGuard};
