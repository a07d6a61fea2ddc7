//! How texts are written into XML and HTML.

use std::fmt::Write as _;

use headwater_domain::secret::PrivateUrl;
use jiff::Timestamp;
use jiff::tz::TimeZone;

/// A text as HTML or XML shows it.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// An element around a text that is HTML to the reader.
pub(crate) fn html_element(out: &mut String, name: &str, text: Option<&str>) {
    element(out, name, text.map(escaped).as_deref());
}

/// An element around a text, if there is one.
pub(crate) fn element(out: &mut String, name: &str, text: Option<&str>) {
    if let Some(text) = text {
        let closing = name.split(' ').next().unwrap_or(name);
        writeln!(out, "<{name}>{}</{closing}>", escaped(text)).expect("text is written to memory");
    }
}

/// An element around a URL, if there is one.
pub(crate) fn url_element(out: &mut String, name: &str, url: Option<&PrivateUrl>) {
    element(out, name, url.map(|url| url.expose().as_str()));
}

/// An Atom link, if there is one.
pub(crate) fn link(out: &mut String, name: &str, rel: &str, url: Option<&PrivateUrl>) {
    if let Some(url) = url {
        let href = escaped(url.expose().as_str());
        writeln!(out, "<{name} rel=\"{rel}\" href=\"{href}\"/>").expect("text is written to memory");
    }
}

/// A time as RFC 822 has it.
pub(crate) fn rfc_822(at: Timestamp) -> String {
    at.to_zoned(TimeZone::UTC).strftime("%a, %d %b %Y %H:%M:%S +0000").to_string()
}
