//! How do values of the domain stand in columns?

use std::borrow::Cow;

use headwater_domain::synthesis::near_duplicate::Fingerprint;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// A time as text, which the statement casts: RFC 3339 in UTC with six decimals. What is finer is cut off.
pub(crate) fn time_text(time: Timestamp) -> String {
    format!("{time:.6}")
}

/// A time from the text of a column that was read `AT TIME ZONE 'UTC'`; what cannot be understood is none.
pub(crate) fn parse_time(text: &str) -> Option<Timestamp> {
    text.parse::<DateTime>().ok()?.to_zoned(TimeZone::UTC).ok().map(|zoned| zoned.timestamp())
}

/// A time as the store gives it back.
pub(crate) fn stored_time(time: Timestamp) -> Timestamp {
    time_text(time).parse().unwrap_or(time)
}

/// A text that every database can hold: NUL, which PostgreSQL refuses and SQLite cuts at, becomes U+FFFD.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{fffd}")) } else { Cow::Borrowed(text) }
}

/// The fingerprint in two columns, if there is one.
pub(crate) fn fingerprint(simhash: Option<i64>, shingles: Option<i64>) -> Option<Fingerprint> {
    Some(Fingerprint::from_parts(simhash?.cast_unsigned(), usize::try_from(shingles?).ok()?))
}

/// A count as a column holds it.
pub(crate) fn count(value: usize) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}
