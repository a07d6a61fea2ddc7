//! Between which changes of clocks does a moment lie, and what time is it there?

use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

/// A stretch of time with one offset from UTC.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    offset: Offset,
    /// When it began, and the offset before.
    since: Option<(Timestamp, Offset)>,
    /// When the next offset begins.
    pub(super) until: Option<Timestamp>,
}

impl Segment {
    /// The stretch that a moment lies in.
    pub(super) fn at(zone: &TimeZone, moment: Timestamp) -> Self {
        let offset = zone.to_offset(moment);
        let tick = SignedDuration::from_nanos(1);
        let until = zone.following(moment).find(|change| change.offset() != offset).map(|change| change.timestamp());
        let since = moment.checked_add(tick).ok().and_then(|end| zone.preceding(end).next()).and_then(|change| {
            let began = change.timestamp();
            Some((began, zone.to_offset(began.checked_sub(tick).ok()?)))
        });
        Self { offset, since, until }
    }

    /// What the clock on the wall shows.
    pub(super) fn local(&self, moment: Timestamp) -> DateTime {
        self.offset.to_datetime(moment)
    }

    /// When the clock on the wall shows a time, if this stretch had no end.
    pub(super) fn instant(&self, local: DateTime) -> Option<Timestamp> {
        self.offset.to_timestamp(local).ok()
    }

    /// The time up to which the clock shows what it has shown before, since it was put back.
    pub(super) fn repeats_until(&self) -> Option<DateTime> {
        let (began, before) = self.since?;
        (before > self.offset).then(|| before.to_datetime(began))
    }
}
