//! When does something fire: cron expressions and intervals, across changes of clocks.

mod fault;
mod segment;
#[cfg(test)]
mod tests;

use croner::Cron;
use croner::parser::{CronParser, Year};
use headwater_domain::ErrorKind;
use headwater_ports::Error;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp};

use self::fault::fault;
use self::segment::Segment;

/// A schedule that was understood and fires.
///
/// A cron expression has five fields, or six with the seconds in front, or is a name such as `@daily`; `@every 15m`
/// counts from the last time. The fields are those of the wall clock in the zone. Where clocks go forward, what was due
/// in the hour that is left out fires once, as the hour is over; where they go back, it fires the first time only. That
/// holds for fixed times; what repeats with `*` (each quarter of an hour, each minute) follows the time that passes: it
/// skips the hour that does not exist, and goes on through the one that comes twice.
#[derive(Debug, Clone)]
pub(crate) struct Schedule(Rule);

#[derive(Debug, Clone)]
enum Rule {
    Every(SignedDuration),
    Cron { cron: Box<Cron>, zone: TimeZone, kind: Kind },
}

/// How an expression takes a change of clocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// It names times of day.
    Fixed,
    /// It repeats within the day.
    Repeating,
}

impl Schedule {
    /// Understands an expression in a time zone.
    ///
    /// # Errors
    /// `invalid_schedule`, with what is wrong: the expression, the name of the zone, or that it never fires.
    pub(crate) fn parse(expression: &str, zone: &str) -> Result<Self, Error> {
        let zone = TimeZone::get(zone).map_err(|_| {
            invalid(format!("there is no time zone {zone:?}"))
                .with_hint("zones are named as in Europe/Berlin, America/New_York or UTC")
        })?;
        let expression = expression.trim();
        if let Some(interval) = expression.strip_prefix("@every") {
            return every(expression, interval).map(|interval| Self(Rule::Every(interval)));
        }
        let cron = CronParser::builder().year(Year::Disallowed).build().parse(expression).map_err(|_| {
            invalid(format!("could not understand the schedule {expression:?}: {}", fault(expression))).with_hint(
                "five fields (minute hour day month weekday), or six with the seconds in front, or @every 15m",
            )
        })?;
        let schedule = Self(Rule::Cron { cron: Box::new(cron), zone, kind: kind(expression) });
        match schedule.next_after(SOME_TIME) {
            Some(_) => Ok(schedule),
            None => Err(invalid(format!("the schedule {expression:?} never fires"))),
        }
    }

    /// The first time after a moment at which it fires; `None` at the end of the calendar.
    pub(crate) fn next_after(&self, after: Timestamp) -> Option<Timestamp> {
        match &self.0 {
            Rule::Every(interval) => after.checked_add(*interval).ok(),
            Rule::Cron { cron, zone, kind } => next(cron, zone, *kind, after),
        }
    }
}

/// Goes from one change of clocks to the next; between them wall clock and time run alike.
fn next(cron: &Cron, zone: &TimeZone, kind: Kind, after: Timestamp) -> Option<Timestamp> {
    let mut segment = Segment::at(zone, after);
    let mut from = segment.local(after);
    let mut inclusive = false;
    let mut due: Option<DateTime> = None;
    for _ in 0..MAX_SEGMENTS {
        let repeated_until = segment.repeats_until().filter(|_| kind == Kind::Fixed);
        if let Some(first) = repeated_until.filter(|first| from < *first) {
            (from, inclusive) = (first, true);
        }
        let known = due.filter(|due| *due > from || (inclusive && *due == from));
        let next = known.or_else(|| next_local(cron, from, inclusive))?;
        let at = segment.instant(next);
        let Some(change) = segment.until else { return at };
        if let Some(at) = at.filter(|at| *at < change) {
            return Some(at);
        }
        segment = Segment::at(zone, change);
        from = segment.local(change);
        inclusive = true;
        // What repeats may be due again in the time that comes twice.
        due = Some(next).filter(|_| kind == Kind::Fixed || segment.repeats_until().is_none());
        if kind == Kind::Fixed && next < from {
            return Some(change);
        }
    }
    None
}

/// The next time of the wall clock that matches.
fn next_local(cron: &Cron, from: DateTime, inclusive: bool) -> Option<DateTime> {
    let from = from.to_zoned(TimeZone::UTC).ok()?;
    cron.find_next_occurrence(&from, inclusive).ok().map(|next| next.datetime())
}

/// A `*` in the fields of the time of day makes an expression repeat.
fn kind(expression: &str) -> Kind {
    let fields: Vec<&str> = expression.split_whitespace().collect();
    let of_time = match fields.len() {
        1 => return if expression.eq_ignore_ascii_case("@hourly") { Kind::Repeating } else { Kind::Fixed },
        6 => &fields[..3],
        _ => &fields[..2],
    };
    if of_time.iter().any(|field| field.starts_with(['*', '?'])) { Kind::Repeating } else { Kind::Fixed }
}

fn every(expression: &str, interval: &str) -> Result<SignedDuration, Error> {
    let wrong = || {
        invalid(format!("could not understand the interval of {expression:?}"))
            .with_hint("write it as in @every 90s, @every 1h30m or @every 2d")
    };
    let span: Span = interval.trim().parse().map_err(|_| wrong())?;
    let interval = span.to_duration(SpanRelativeTo::days_are_24_hours()).map_err(|_| wrong())?;
    let range = SignedDuration::from_secs(1)..=SignedDuration::from_hours(366 * 24);
    if !range.contains(&interval) {
        return Err(invalid(format!("the interval of {expression:?} is not between a second and a year")));
    }
    Ok(interval)
}

fn invalid(detail: String) -> Error {
    Error::new(ErrorKind::InvalidSchedule, "read the schedule", detail)
}

/// From where it is tried whether a schedule fires at all.
const SOME_TIME: Timestamp = Timestamp::UNIX_EPOCH;

/// Changes of clocks that are gone through for one answer; there are two a year at most places.
const MAX_SEGMENTS: usize = 20_000;
