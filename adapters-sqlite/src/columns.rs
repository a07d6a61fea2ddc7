//! How do values of the domain stand in columns?

use std::borrow::Cow;

use headwater_domain::synthesis::near_duplicate::Fingerprint;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A time as text: RFC 3339 in UTC with six decimals. What is finer than a microsecond is cut off.
pub(crate) fn time_text(time: Timestamp) -> String {
    format!("{time:.6}")
}

/// A time from text, in any form that other writers may have used; what cannot be understood is none.
pub(crate) fn parse_time(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    text.parse()
        .ok()
        .or_else(|| text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp()))
}

/// A time as the store gives it back.
pub(crate) fn stored_time(time: Timestamp) -> Timestamp {
    parse_time(&time_text(time)).unwrap_or(time)
}

/// A text that every database can hold: NUL, which PostgreSQL refuses and SQLite cuts at, becomes U+FFFD.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// Bytes in hexadecimal, as `unhex` reads them.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(2 * bytes.len()), |mut text, byte| {
        let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
        text.extend([digit(byte >> 4), digit(byte & 15)]);
        text
    })
}

/// The fingerprint in two columns, if there is one.
pub(crate) fn fingerprint(simhash: Option<i64>, shingles: Option<i64>) -> Option<Fingerprint> {
    Some(Fingerprint::from_parts(simhash?.cast_unsigned(), usize::try_from(shingles?).ok()?))
}

/// A count as a column holds it.
pub(crate) fn count(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
