//! Where in a date text is the time of day, and what time is it?

use std::ops::Range;

use super::month;
use super::token::{Kind, Token};

/// A time of day; hour 24 and second 60 are allowed here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TimeOfDay {
    pub(super) hour: i8,
    pub(super) minute: i8,
    pub(super) second: i8,
    pub(super) nanosecond: i32,
}

/// Which tokens are the time of day, and the time, if such a time exists.
pub(super) struct Found {
    pub(super) span: Range<usize>,
    pub(super) time: Option<TimeOfDay>,
}

impl TimeOfDay {
    pub(super) const MIDNIGHT: Self = Self { hour: 0, minute: 0, second: 0, nanosecond: 0 };
}

/// Finds the time of day; `None` where the text has none.
pub(super) fn find(tokens: &[Token<'_>], text: &str) -> Option<Found> {
    let mut found = (0..tokens.len())
        .find_map(|place| with_colons(tokens, place).or_else(|| with_letters(tokens, place)))
        .or_else(|| (0..tokens.len()).find_map(|place| compact_iso(tokens, place)))
        .or_else(|| compact_822(tokens))
        .or_else(|| with_dots(tokens))?;
    let (half, length) = half_after(tokens, found.span.end);
    found.span.end += length;
    let half = half.or_else(|| east_asian_half(text));
    found.time = found.time.and_then(|time| apply_half(time, half)).filter(exists);
    Some(found)
}

fn exists(time: &TimeOfDay) -> bool {
    let within = (0..24).contains(&time.hour) && (0..60).contains(&time.minute) && (0..=60).contains(&time.second);
    let end_of_day = time.hour == 24 && time.minute == 0 && time.second == 0 && time.nanosecond == 0;
    within || end_of_day
}

/// `10:14`, `10:14:55`, `10:14:55.25`, `10:14:55,25`.
fn with_colons(tokens: &[Token<'_>], place: usize) -> Option<Found> {
    let at = |offset: usize| tokens.get(place + offset);
    let is_colon = |offset: usize| at(offset).is_some_and(|token| token.is(":"));
    if tokens[place].kind != Kind::Number || !is_colon(1) || at(2)?.kind != Kind::Number {
        return None;
    }
    let has_seconds = is_colon(3) && at(4).is_some_and(|token| token.kind == Kind::Number);
    if is_offset_of_a_bare_date(tokens, place, has_seconds) {
        return None;
    }
    let length = if has_seconds { 5 } else { 3 };
    let second = if has_seconds { at(4).and_then(Token::small) } else { Some(0) };
    let (fraction, extra) = fraction(tokens, place + length);
    let time = assemble(tokens[place].small(), at(2).and_then(Token::small), second);
    let time = time.map(|time| add_fraction(time, fraction, has_seconds));
    Some(Found { span: place..place + length + extra, time })
}

/// In `2003-12-31+01:00` the colon belongs to the offset.
fn is_offset_of_a_bare_date(tokens: &[Token<'_>], place: usize, has_seconds: bool) -> bool {
    let Some(sign) = place.checked_sub(1).map(|before| &tokens[before]) else { return false };
    let glued = !tokens[place].gap && !sign.gap && place >= 2;
    glued && (sign.is("+") || (sign.is("-") && !has_seconds && tokens[place - 2].kind == Kind::Number))
}

/// `14h30`, `14時30分15秒`, `14시 30분`.
fn with_letters(tokens: &[Token<'_>], place: usize) -> Option<Found> {
    let hour = tokens[place].small()?;
    if !tokens.get(place + 1).is_some_and(|unit| HOURS.contains(&unit.text)) {
        return None;
    }
    let mut end = place + 2;
    let mut part = |units: &[&str], unit_needed: bool| {
        let value = tokens.get(end).and_then(Token::small)?;
        let has_unit = tokens.get(end + 1).is_some_and(|unit| units.contains(&unit.text));
        if unit_needed && !has_unit {
            return None;
        }
        end += 1 + usize::from(has_unit);
        Some(value)
    };
    let minute = part(&MINUTES, !tokens[place + 1].is("h"));
    let second = minute.and_then(|_| part(&SECONDS, true));
    let time = assemble(Some(hour), Some(minute.unwrap_or(0)), Some(second.unwrap_or(0)));
    Some(Found { span: place..end, time })
}

/// `T192030`, `T1920`, `T19`, after a date.
fn compact_iso(tokens: &[Token<'_>], place: usize) -> Option<Found> {
    let digits = tokens.get(place + 1).filter(|token| !token.gap)?;
    if !tokens[place].is("t") || tokens[place].gap || place == 0 || ![2, 4, 6].contains(&digits.digits()) {
        return None;
    }
    let (fraction, extra) = fraction(tokens, place + 2);
    let has_seconds = digits.digits() == 6;
    let time = from_digits(digits.text).map(|time| add_fraction(time, fraction, has_seconds));
    Some(Found { span: place..place + 2 + extra, time })
}

/// `03 Apr 02 1500 GMT`: the third number, where it has four digits.
fn compact_822(tokens: &[Token<'_>]) -> Option<Found> {
    let place = (0..tokens.len()).filter(|place| tokens[*place].kind == Kind::Number).nth(2)?;
    let apart = tokens[place].gap && tokens[place].digits() == 4;
    let after_a_month = tokens[..place].iter().any(|token| month::by_name(token.text).is_some());
    let time = from_digits(tokens[place].text).filter(exists);
    (apart && after_a_month && time.is_some()).then_some(Found { span: place..place + 1, time })
}

/// `22.11.2022 12.16`: after a date with dots.
fn with_dots(tokens: &[Token<'_>]) -> Option<Found> {
    let end = tokens.len();
    let place = (3..end)
        .find(|place| tokens[*place].gap && tokens[*place].small().is_some() && tokens[*place - 1].digits() == 4)?;
    let dotted = tokens.get(place + 1)?.is(".") && !tokens[place + 1].gap;
    let minute = tokens.get(place + 2).filter(|token| !token.gap && token.digits() == 2)?;
    dotted.then(|| Found { span: place..place + 3, time: assemble(tokens[place].small(), minute.small(), Some(0)) })
}

fn from_digits(text: &str) -> Option<TimeOfDay> {
    let pair = |from: usize| text.get(from..from + 2).map_or(Some(0), |digits| digits.parse().ok());
    assemble(pair(0), pair(2), pair(4))
}

fn assemble(hour: Option<i8>, minute: Option<i8>, second: Option<i8>) -> Option<TimeOfDay> {
    Some(TimeOfDay { hour: hour?, minute: minute?, second: second?, nanosecond: 0 })
}

/// The digits after a decimal sign, and how many tokens they are with it.
fn fraction<'a>(tokens: &[Token<'a>], place: usize) -> (Option<&'a str>, usize) {
    let sign = tokens.get(place).filter(|token| !token.gap && (token.is(".") || token.is(",")));
    let digits = tokens.get(place + 1).filter(|token| !token.gap && token.kind == Kind::Number);
    match (sign, digits) {
        (Some(_), Some(digits)) => (Some(digits.text), 2),
        _ => (None, 0),
    }
}

/// Adds a fraction of the last unit that was written.
fn add_fraction(mut time: TimeOfDay, digits: Option<&str>, of_seconds: bool) -> TimeOfDay {
    let Some(digits) = digits else { return time };
    let value = digits
        .bytes()
        .chain(std::iter::repeat(b'0'))
        .take(9)
        .fold(0i64, |sum, digit| sum * 10 + i64::from(digit - b'0'));
    let nanoseconds = if of_seconds { value } else { value * 60 };
    if !of_seconds {
        time.second = i8::try_from(nanoseconds / NANOSECONDS).unwrap_or(0);
    }
    time.nanosecond = i32::try_from(nanoseconds % NANOSECONDS).unwrap_or(0);
    time
}

/// Before or after noon.
#[derive(Clone, Copy)]
enum Half {
    Morning,
    Afternoon,
}

/// `am`, `p.m.` after the time, and how many tokens that is.
fn half_after(tokens: &[Token<'_>], place: usize) -> (Option<Half>, usize) {
    let text = |offset: usize| tokens.get(place + offset).map_or("", |token| token.text);
    match (text(0), text(1), text(2)) {
        ("am", ..) => (Some(Half::Morning), 1),
        ("pm", ..) => (Some(Half::Afternoon), 1),
        ("a", ".", "m") => (Some(Half::Morning), 3 + usize::from(text(3) == ".")),
        ("p", ".", "m") => (Some(Half::Afternoon), 3 + usize::from(text(3) == ".")),
        _ => (None, 0),
    }
}

fn east_asian_half(text: &str) -> Option<Half> {
    let has = |words: &[&str]| words.iter().any(|word| text.contains(word));
    if text.is_ascii() {
        None
    } else if has(&["上午", "午前", "오전", "凌晨", "早上"]) {
        Some(Half::Morning)
    } else if has(&["下午", "午後", "오후", "晚上"]) {
        Some(Half::Afternoon)
    } else {
        None
    }
}

/// Moves an hour to its half of the day; an hour over 12 needs no half.
fn apply_half(mut time: TimeOfDay, half: Option<Half>) -> Option<TimeOfDay> {
    match half {
        Some(Half::Morning) if time.hour == 12 => time.hour = 0,
        Some(Half::Afternoon) if (0..12).contains(&time.hour) => time.hour += 12,
        _ => {}
    }
    Some(time)
}

const NANOSECONDS: i64 = 1_000_000_000;
const HOURS: [&str; 6] = ["h", "时", "時", "点", "點", "시"];
const MINUTES: [&str; 4] = ["m", "min", "分", "분"];
const SECONDS: [&str; 3] = ["s", "秒", "초"];
