//! How long a server asks to be left alone.

use std::time::Duration;

use jiff::Timestamp;

use super::span::until;
use crate::feed::date::parse_date;

/// The headers that say so, in lower case; all of them are read, and the longest wait counts.
pub const WAIT_HEADERS: [&str; 5] =
    ["retry-after", "x-ratelimit-reset", "x-rate-limit-reset", "ratelimit-reset", "ratelimit"];

/// How long the header of that name asks to wait.
///
/// `Retry-After` is a number of seconds or an HTTP date (RFC 9110, in any of its three forms). The reset headers give
/// seconds, or the moment as seconds or milliseconds since 1970, or a date; `RateLimit` a `reset` or `t` among other
/// things. A moment in the past and what cannot be read ask for nothing.
pub fn asked_wait(name: &str, value: &str, now: Timestamp) -> Option<Duration> {
    let value = if name == "ratelimit" { reset_of(value)? } else { value.trim() };
    let wait = match value.parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => from_number(number, now)?,
        Ok(_) => return None,
        Err(_) => until(parse_date(value)?.at, now),
    };
    (!wait.is_zero()).then_some(wait)
}

/// Seconds from now, or since 1970; no server means a wait of thirty years.
fn from_number(number: f64, now: Timestamp) -> Option<Duration> {
    let seconds = if number >= EPOCH_MILLISECONDS { number / 1000.0 } else { number };
    if seconds < EPOCH_SECONDS {
        return Some(Duration::from_secs(whole(seconds)));
    }
    let moment = Timestamp::from_second(i64::try_from(whole(seconds)).ok()?).ok()?;
    Some(until(moment, now))
}

/// Rounded up: to come back early is the one mistake to avoid. A float's conversion stops at the bounds.
fn whole(seconds: f64) -> u64 {
    seconds.ceil() as u64
}

/// The seconds in `limit=10, remaining=0, reset=42` and in `"default";r=0;t=42`.
fn reset_of(value: &str) -> Option<&str> {
    value.split([';', ',']).find_map(|part| {
        let (name, number) = part.split_once('=')?;
        matches!(name.trim(), "reset" | "t").then(|| number.trim())
    })
}

/// 2001-09-09: larger numbers are moments, smaller ones waits.
const EPOCH_SECONDS: f64 = 1e9;

const EPOCH_MILLISECONDS: f64 = 1e12;
