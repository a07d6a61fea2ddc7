//! At which hours and on which days a feed says that it is not worth asking.

use jiff::civil::Weekday as CivilWeekday;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan, Unit, ZonedRound};
use serde::{Deserialize, Serialize};

use crate::feed::Weekday;

/// `skipHours` and `skipDays`, in UTC, a bit an hour and a bit a day.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct Skips {
    hours: u32,
    days: u8,
}

impl Skips {
    /// All hours or all days would mean never: such a list is ignored.
    pub(super) fn of(hours: &[u8], days: &[Weekday]) -> Self {
        let hours = hours.iter().fold(0, |bits, hour| bits | 1 << (hour % 24));
        let days = days.iter().fold(0, |bits, day| bits | 1 << (*day as u8));
        Self { hours: if hours == ALL_HOURS { 0 } else { hours }, days: if days == ALL_DAYS { 0 } else { days } }
    }

    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    pub(super) fn has_days(&self) -> bool {
        self.days != 0
    }

    /// The first moment from `due` on that is not skipped; `None` at the end of time.
    pub(super) fn next_open(&self, due: Timestamp) -> Option<Timestamp> {
        if self.is_none() || !self.skips(due) {
            return Some(due);
        }
        let mut moment = due.to_zoned(TimeZone::UTC);
        moment = moment.round(ZonedRound::new().smallest(Unit::Hour).mode(jiff::RoundMode::Trunc)).ok()?;
        for _ in 0..=HOURS_OF_A_WEEK {
            moment = moment.checked_add(1.hour()).ok()?;
            if !self.skips(moment.timestamp()) {
                return Some(moment.timestamp());
            }
        }
        None
    }

    fn skips(&self, moment: Timestamp) -> bool {
        let moment = moment.to_zoned(TimeZone::UTC);
        let hour = u32::try_from(moment.hour()).unwrap_or(0);
        self.hours & (1 << hour) != 0 || self.days & (1 << day_bit(moment.weekday())) != 0
    }
}

fn day_bit(day: CivilWeekday) -> i8 {
    day.to_monday_zero_offset()
}

const ALL_HOURS: u32 = (1 << 24) - 1;

const ALL_DAYS: u8 = (1 << 7) - 1;

const HOURS_OF_A_WEEK: usize = 7 * 24;
