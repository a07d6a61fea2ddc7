//! Which zone does a date text name, and how far is that from UTC?

use std::ops::Range;

use jiff::civil::{Date, DateTime, Weekday};

use super::token::{Kind, Token};

/// What a date text says of its zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Zone {
    /// Seconds east of UTC.
    Fixed(i32),
    /// A zone of the United States named without its season (`ET`): seconds east of UTC in winter.
    UnitedStates(i32),
    /// A name with several meanings, or none.
    Unknown,
}

/// Which tokens are the zone, and the zone.
pub(super) struct Found {
    pub(super) span: Range<usize>,
    pub(super) zone: Zone,
}

impl Zone {
    /// Seconds east of UTC at a local time; `None` where the zone is not known.
    pub(super) fn offset_seconds(self, local: DateTime) -> Option<i32> {
        match self {
            Self::Fixed(seconds) => Some(seconds),
            Self::UnitedStates(seconds) => Some(seconds + if is_us_summer(local) { 3600 } else { 0 }),
            Self::Unknown => None,
        }
    }
}

/// Finds the zone from a token on: a signed offset wins over a name, since it has one meaning.
pub(super) fn find(tokens: &[Token<'_>], from: usize) -> Option<Found> {
    let signed = (from..tokens.len()).find_map(|place| signed_offset(tokens, place, from));
    signed.or_else(|| (from..tokens.len()).find_map(|place| named(tokens, place, from)))
}

/// `+0100`, `+01:00`, `-5`, `GMT+2`.
fn signed_offset(tokens: &[Token<'_>], place: usize, from: usize) -> Option<Found> {
    let sign = &tokens[place];
    let hours = tokens.get(place + 1).filter(|token| token.kind == Kind::Number)?;
    if !(sign.is("+") || sign.is("-")) || (hours.gap && hours.digits() != 4) || joins_date(tokens, place, from) {
        return None;
    }
    let minutes = tokens.get(place + 2).filter(|token| token.is(":") && !token.gap).and_then(|_| tokens.get(place + 3));
    let (seconds, end) = match (hours.digits(), minutes) {
        (1 | 2, Some(minutes)) => (offset(hours.number()?, minutes.number()?), place + 4),
        (1 | 2, None) => (offset(hours.number()?, 0), place + 2),
        (3 | 4, _) => (offset(hours.number()? / 100, hours.number()? % 100), place + 2),
        _ => return None,
    };
    let name = place.checked_sub(1).filter(|before| *before >= from && tokens[*before].is_word());
    // In the names of the tz database `Etc/GMT+5` lies west of Greenwich.
    let inverted = name.is_some_and(|before| before >= 2 && tokens[before - 2].is("etc"));
    let negative = sign.is("-") != inverted;
    let zone = seconds.map_or(Zone::Unknown, |seconds| Zone::Fixed(if negative { -seconds } else { seconds }));
    Some(Found { span: place..end, zone })
}

/// Whether a dash is one of those between the numbers of a date.
fn joins_date(tokens: &[Token<'_>], place: usize, from: usize) -> bool {
    let glued_before = place > from && !tokens[place].gap && tokens[place - 1].kind == Kind::Number;
    let glued_after = tokens.get(place + 2).is_some_and(|next| next.is("/") || next.is(".") || next.is("-"));
    // A bare date may be followed by an offset, which then has a colon or a plus: `2003-12-31-05:00`.
    let bare_offset = from == 0 && (tokens[place].is("+") || tokens.get(place + 2).is_some_and(|next| next.is(":")));
    (glued_before && !bare_offset) || (glued_after && !tokens.get(place + 2).is_some_and(|next| next.gap))
}

fn offset(hours: u32, minutes: u32) -> Option<i32> {
    if hours > 15 || minutes > 59 { None } else { i32::try_from(hours * 3600 + minutes * 60).ok() }
}

fn named(tokens: &[Token<'_>], place: usize, from: usize) -> Option<Found> {
    let token = &tokens[place];
    // Where no time of day goes before, a short word may mean anything.
    let clear = from > 0 || token.text.len() > 2 || token.is("z") || token.is("ut");
    if !token.is_word() || !clear {
        return None;
    }
    let zone = by_name(token.text)?;
    Some(Found { span: place..place + 1, zone })
}

/// The zones that have one meaning in feeds. RFC 822 fixes those of the United States; of the others the names are here
/// that stand for one offset, or for one by far more than any other. `IST`, `GST`, `SST` and the like are not.
fn by_name(name: &str) -> Option<Zone> {
    let fixed = |minutes: i32| Some(Zone::Fixed(minutes * 60));
    match name {
        "z" | "ut" | "utc" | "gmt" | "uct" | "wet" | "zulu" => fixed(0),
        "bst" | "cet" | "met" | "mez" | "west" | "wat" => fixed(60),
        "cest" | "mest" | "mesz" | "eet" | "cat" | "sast" => fixed(120),
        "eest" | "msk" | "trt" | "eat" => fixed(180),
        "msd" => fixed(240),
        "pkt" => fixed(300),
        "npt" => fixed(345),
        "ict" | "wib" => fixed(420),
        "hkt" | "sgt" | "awst" | "myt" | "pht" => fixed(480),
        "jst" | "kst" => fixed(540),
        "acst" => fixed(570),
        "aest" => fixed(600),
        "acdt" => fixed(630),
        "aedt" => fixed(660),
        "nzst" => fixed(720),
        "nzdt" => fixed(780),
        "ndt" => fixed(-150),
        "brt" | "adt" | "art" => fixed(-180),
        "nst" => fixed(-210),
        "ast" | "edt" => fixed(-240),
        "est" | "cdt" => fixed(-300),
        "cst" | "mdt" => fixed(-360),
        "mst" | "pdt" => fixed(-420),
        "pst" | "akdt" => fixed(-480),
        "akst" => fixed(-540),
        "hst" => fixed(-600),
        "at" => Some(Zone::UnitedStates(-240 * 60)),
        "et" => Some(Zone::UnitedStates(-300 * 60)),
        "ct" => Some(Zone::UnitedStates(-360 * 60)),
        "mt" => Some(Zone::UnitedStates(-420 * 60)),
        "pt" => Some(Zone::UnitedStates(-480 * 60)),
        "ist" | "gst" | "sst" | "ect" | "amt" | "wst" => Some(Zone::Unknown),
        // The military letters: RFC 822 had their signs wrong, so that RFC 2822 says to take them for an unknown zone.
        letter if letter.len() == 1 && letter != "t" && letter.as_bytes()[0].is_ascii_lowercase() => {
            Some(Zone::Unknown)
        }
        _ => None,
    }
}

/// Whether summer time is in force in the United States: the rules of 1967, 1987 and 2007.
fn is_us_summer(local: DateTime) -> bool {
    let sunday = |month: i8, nth: i8| {
        let first = Date::new(local.year(), month, 1).ok()?;
        first.nth_weekday_of_month(nth, Weekday::Sunday).ok().map(|day| day.at(2, 0, 0, 0))
    };
    let (begin, end) = match local.year() {
        2007.. => (sunday(3, 2), sunday(11, 1)),
        1987..=2006 => (sunday(4, 1), sunday(10, -1)),
        _ => (sunday(4, -1), sunday(10, -1)),
    };
    matches!((begin, end), (Some(begin), Some(end)) if (begin..end).contains(&local))
}
