//! When is it: which moment the text of a feed's date names, whatever form and language it is written in.

use jiff::civil::{Date, Time};
use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use self::clock::TimeOfDay;
use self::token::Token;
use self::zone::Zone;
use super::DateZone;

/// A moment, and whether its zone was stated.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FeedDate {
    /// The moment.
    pub at: Timestamp,
    /// Whether the text named a zone with one meaning; if not, UTC was taken.
    pub zone: DateZone,
}

/// Reads a date in any form that feeds are known to carry.
///
/// RFC 822 and its descendants, RFC 850, asctime, ISO 8601 (extended, basic, week and ordinal dates), seconds and
/// milliseconds since 1970, the order of the United States, numeric dates with dots and slashes, month names of the
/// European languages, Chinese, Japanese and Korean forms. The answer depends on the text alone, never on the zone of
/// the machine. `None` for what is no date, does not exist in the calendar, or is some system's word for "no date"
/// (the year 0, 1970-01-01T00:00:00Z, ...). Linear in the text; a text of more than 200 bytes is no date.
///
/// # Examples
/// ```
/// use headwater_domain::feed::date::parse_date;
///
/// let date = parse_date("Ke, 30 Lok 2013 11:34:37 +0000").expect("a Finnish October");
/// assert_eq!(date.at.to_string(), "2013-10-30T11:34:37Z");
/// assert_eq!(parse_date("0000-00-00 00:00:00"), None);
/// ```
pub fn parse_date(text: &str) -> Option<FeedDate> {
    let text = text.trim();
    if text.is_empty() || text.len() > MAX_BYTES {
        return None;
    }
    let date = match canonical::read(text) {
        Some((date, time, zone)) => moment(date, time, Some(zone)),
        None => read_slowly(text),
    };
    date.filter(|date| !means_nothing(date.at))
}

fn read_slowly(text: &str) -> Option<FeedDate> {
    epoch::read(text).or_else(|| read_words(&fold::fold(text)))
}

fn read_words(text: &str) -> Option<FeedDate> {
    let tokens = token::split(text);
    let found = clock::find(&tokens, text);
    let span = found.as_ref().map_or(tokens.len()..tokens.len(), |found| found.span.clone());
    // Without a time of day a zone may still follow the date: `2011-01-31Z`.
    let zone_from = if found.is_some() { span.end } else { 0 };
    let zone = zone::find(&tokens, zone_from);

    let in_zone = |place: &usize| zone.as_ref().is_some_and(|found| found.span.contains(place));
    let of_date: Vec<Token<'_>> =
        (0..tokens.len()).filter(|place| !span.contains(place) && !in_zone(place)).map(|place| tokens[place]).collect();
    let date = calendar::read(&of_date, text)?;
    let time = match found {
        Some(found) => found.time?,
        None => TimeOfDay::MIDNIGHT,
    };
    moment(date, time, zone.map(|found| found.zone))
}

/// Puts the parts together; hour 24 and second 60 run over into what follows them.
fn moment(date: Date, time: TimeOfDay, zone: Option<Zone>) -> Option<FeedDate> {
    let clock = Time::new(time.hour % 24, time.minute, time.second.min(59), time.nanosecond).ok()?;
    let local = date.to_datetime(clock);
    let (offset, stated) = match zone {
        Some(zone) => zone.offset_seconds(local).map_or((0, false), |seconds| (seconds, true)),
        None => (0, false),
    };
    let run_over = i64::from(time.hour / 24) * 86_400 + i64::from(time.second / 60);
    let at = Offset::UTC.to_timestamp(local).ok()?;
    let at = at.checked_add(SignedDuration::from_secs(run_over - i64::from(offset))).ok()?;
    Some(FeedDate { at, zone: if stated { DateZone::Stated } else { DateZone::Assumed } })
}

/// Whether a moment is the zero of some system's calendar: written when there was no date to write.
fn means_nothing(at: Timestamp) -> bool {
    at.as_second() == 0 || at.as_second() < YEAR_1000 || ZEROS.contains(&at.as_second())
}

const MAX_BYTES: usize = 200;

/// 1000-01-01T00:00:00Z.
const YEAR_1000: i64 = -30_610_224_000;

/// Midnight of 1601-01-01 (Windows), 1899-12-30 and -31 (spreadsheets), 1900-01-01 (SQL).
const ZEROS: [i64; 4] = [-11_644_473_600, -2_209_161_600, -2_209_075_200, -2_208_988_800];

mod calendar;
mod canonical;
mod clock;
mod epoch;
mod fold;
mod month;
#[cfg(test)]
mod tests;
mod token;
mod zone;
