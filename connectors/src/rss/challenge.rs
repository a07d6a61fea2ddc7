//! Whether a bot wall answered in place of the site, and whose it is.

use headwater_domain::feed::reply;
use headwater_ports::{FetchResponse, Headers};

/// The vendor or description of the challenge in a response that is no feed.
pub(super) fn challenge(response: &FetchResponse) -> Option<String> {
    if let Some(vendor) = by_header(&response.headers) {
        return Some(format!("a bot challenge of {vendor} stands where the feed should be"));
    }
    let head = &response.body[..response.body.len().min(LOOKED_AT)];
    let text = String::from_utf8_lossy(head);
    text.trim_start().starts_with('<').then(|| reply::challenge(&text))?.map(|found| found.detail)
}

/// Headers that name a challenge whatever the body is.
fn by_header(headers: &Headers) -> Option<&'static str> {
    MARKS
        .iter()
        .find(|(name, value, _)| headers.text(name).is_some_and(|text| text.to_ascii_lowercase().contains(value)))
        .map(|mark| mark.2)
}

/// Name, what its value holds, vendor.
const MARKS: &[(&str, &str, &str)] = &[
    ("cf-mitigated", "challenge", "Cloudflare"),
    ("x-vercel-mitigated", "challenge", "Vercel"),
    ("x-amzn-waf-action", "challenge", "AWS WAF"),
    ("x-amzn-waf-action", "captcha", "AWS WAF"),
    ("x-datadome", "protected", "DataDome"),
    ("x-sucuri-block", "", "Sucuri"),
    ("x-kpsdk-ct", "", "Kasada"),
];

const LOOKED_AT: usize = 64 * 1024;
