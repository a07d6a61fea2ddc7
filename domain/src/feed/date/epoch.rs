//! Is a date text a bare number, and which moment does that number count to?

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::Offset;

use super::FeedDate;
use crate::feed::DateZone;

/// Reads seconds, milliseconds, microseconds or nanoseconds since 1970, a run of digits `YYYYMMDDhhmm[ss]`, and
/// the `/Date(1234567890123+0200)/` of .NET. Shorter runs of digits are left to the calendar.
pub(super) fn read(text: &str) -> Option<FeedDate> {
    let text = unwrap_net(text).unwrap_or(text);
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = whole.strip_prefix(['+', '-']).unwrap_or(whole);
    if digits.is_empty() || !digits.bytes().chain(fraction.bytes()).all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    if digits.len() == whole.len()
        && matches!(digits.len(), 12 | 14)
        && let Some(date) = compact(digits)
    {
        return Some(date);
    }
    let value: i64 = whole.parse().ok()?;
    let at = match digits.len() {
        9 | 10 => Timestamp::from_second(value),
        12 | 13 => Timestamp::from_millisecond(value),
        15 | 16 => Timestamp::from_microsecond(value),
        18 | 19 => Timestamp::from_nanosecond(i128::from(value)),
        _ => return None,
    };
    at.ok().map(|at| FeedDate { at, zone: DateZone::Stated })
}

/// The number of `/Date(…)/`; an offset in it does not move the moment.
fn unwrap_net(text: &str) -> Option<&str> {
    let inner = text.strip_prefix("/Date(")?.strip_suffix(")/")?;
    let end = inner.get(1..)?.find(['+', '-']).map_or(inner.len(), |place| place + 1);
    Some(&inner[..end])
}

fn compact(digits: &str) -> Option<FeedDate> {
    let part = |from: usize, to: usize| digits.get(from..to).map_or(Some(0), |part| part.parse::<i16>().ok());
    let small = |from: usize| part(from, from + 2).and_then(|value| i8::try_from(value).ok());
    let date = Date::new(part(0, 4)?, small(4)?, small(6)?).ok()?;
    let time = Time::new(small(8)?, small(10)?, small(12)?, 0).ok()?;
    let at = Offset::UTC.to_timestamp(date.to_datetime(time)).ok()?;
    (1900..2200).contains(&date.year()).then_some(FeedDate { at, zone: DateZone::Assumed })
}
