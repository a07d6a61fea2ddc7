//! Which day do the tokens of a date text name, once the time and the zone are taken out?

use jiff::ToSpan;
use jiff::civil::{Date, ISOWeekDate, Weekday};

use super::month;
use super::token::{Kind, Token};

/// Reads the day; `None` where there is none, or none that exists.
pub(super) fn read(tokens: &[Token<'_>], text: &str) -> Option<Date> {
    if let Some(date) = east_asian(tokens, text) {
        return date;
    }
    if let Some(date) = week_date(tokens) {
        return date;
    }
    match month::find(tokens) {
        Some(found) => around_month(tokens, found.span.start, found.span.end, found.month),
        None => numeric(tokens),
    }
}

/// `2004年5月28日`, `06 5月 2024`, `2004년 05월 28일`, `令和6年5月1日`.
fn east_asian(tokens: &[Token<'_>], text: &str) -> Option<Option<Date>> {
    let before = |units: &[&str]| {
        (1..tokens.len()).find(|place| units.contains(&tokens[*place].text) && tokens[*place - 1].kind == Kind::Number)
    };
    let unit_of_month = before(&["月", "월"])?;
    let month = tokens[unit_of_month - 1].small();
    let Some(unit_of_year) = before(&["年", "년"]) else {
        let date = month.and_then(|month| around_month(tokens, unit_of_month - 1, unit_of_month + 1, month));
        return Some(date);
    };
    let year = tokens[unit_of_year - 1].number().and_then(|year| i16::try_from(year).ok());
    let year = year.and_then(|year| match era(text) {
        Some(first) => Some(first + year - 1),
        None => full_year(&tokens[unit_of_year - 1]),
    });
    let day = before(&["日", "일", "号", "號"]).map_or(Some(1), |place| tokens[place - 1].small());
    Some(make(year, month, day))
}

/// The first year of the Japanese or Chinese era that is named.
fn era(text: &str) -> Option<i16> {
    let eras = [("令和", 2019), ("平成", 1989), ("昭和", 1926), ("民國", 1912), ("民国", 1912)];
    eras.iter().find(|(name, _)| text.contains(name)).map(|(_, first)| *first)
}

/// `2004-W23-5`, `2004W235`, `2004-W23`.
fn week_date(tokens: &[Token<'_>]) -> Option<Option<Date>> {
    let place = tokens.iter().position(|token| token.is("w") && !token.gap)?;
    let year = tokens[..place].iter().rev().find(|token| token.digits() == 4)?.number()?;
    let digits = tokens.get(place + 1).filter(|token| !token.gap)?;
    let value = digits.number()?;
    let (week, day) = match digits.digits() {
        2 => (value, tokens.get(place + 3).and_then(Token::number).unwrap_or(1)),
        3 => (value / 10, value % 10),
        _ => return None,
    };
    let day = i8::try_from(day).ok().and_then(|day| Weekday::from_monday_one_offset(day).ok());
    let week = i8::try_from(week).ok().zip(i16::try_from(year).ok());
    Some(week.zip(day).and_then(|((week, year), day)| ISOWeekDate::new(year, week, day).ok()).map(ISOWeekDate::date))
}

/// The day and the year from the numbers nearest to a month's name, whatever their order.
fn around_month(tokens: &[Token<'_>], start: usize, end: usize, month: i8) -> Option<Date> {
    let is_number = |token: &&Token<'_>| token.kind == Kind::Number;
    let mut before = tokens[..start].iter().rev().filter(is_number);
    let mut after = tokens[end..].iter().filter(is_number);
    let (first, second) = match (before.next(), after.next()) {
        (Some(first), Some(second)) => (first, second),
        (None, Some(first)) => match after.next() {
            Some(_) if hides_a_month(&tokens[end..]) => return None,
            Some(second) => (first, second),
            None => return alone_with_month(first, month),
        },
        (Some(second), None) => match before.next() {
            Some(first) => (first, second),
            None => return alone_with_month(second, month),
        },
        (None, None) => return None,
    };
    let year_first = first.digits() > 2 || first.number().is_some_and(|value| value > 31);
    let (day, year) = if year_first { (second, first) } else { (first, second) };
    make(full_year(year), Some(month), day.small())
}

/// In `mar, 02 xyz 2022` the month is the word that nobody knows, and `mar` a weekday.
fn hides_a_month(tokens: &[Token<'_>]) -> bool {
    let mut between = tokens.iter().skip_while(|token| token.kind != Kind::Number).skip(1);
    between
        .find(|token| token.kind != Kind::Symbol)
        .is_some_and(|token| token.is_word() && token.text.chars().count() > 2)
}

/// `May 2020` is the first of May.
fn alone_with_month(number: &Token<'_>, month: i8) -> Option<Date> {
    if number.digits() == 4 { make(full_year(number), Some(month), Some(1)) } else { None }
}

fn numeric(tokens: &[Token<'_>]) -> Option<Date> {
    let joined = |place: usize| {
        let symbol = tokens.get(place + 1).filter(|token| is_separator(token))?;
        let next = tokens.get(place + 2).filter(|token| token.kind == Kind::Number)?;
        (tokens[place].kind == Kind::Number).then_some((symbol, next))
    };
    let places = 0..tokens.len();
    if let Some((first, symbol, second, third)) = places.clone().find_map(|place| {
        let (symbol, second) = joined(place)?;
        let (_, third) = joined(place + 2)?;
        Some((&tokens[place], symbol, second, third))
    }) {
        return three(first, symbol, second, third);
    }
    if let Some((first, second)) =
        places.clone().find_map(|place| joined(place).map(|(_, next)| (&tokens[place], next)))
    {
        return two(first, second);
    }
    let mut numbers = tokens.iter().filter(|token| token.kind == Kind::Number);
    match (numbers.next(), numbers.next(), tokens.iter().any(|token| token.is_word() && !token.is("t"))) {
        (Some(only), None, false) => one(only),
        _ => None,
    }
}

fn is_separator(token: &Token<'_>) -> bool {
    token.is("-") || token.is("/") || token.is(".")
}

/// Year first where it has four digits; else by the habit that goes with the sign between them.
fn three(first: &Token<'_>, symbol: &Token<'_>, second: &Token<'_>, third: &Token<'_>) -> Option<Date> {
    if first.digits() == 4 {
        return make(full_year(first), month_of(second), third.small());
    }
    if third.digits() != 4 && symbol.is("-") {
        return make(full_year(first), second.small(), third.small());
    }
    let (month, day) = if symbol.is("/") { (first, second) } else { (second, first) };
    let swapped = month.small().is_some_and(|month| month > 12);
    let (month, day) = if swapped { (day, month) } else { (month, day) };
    make(full_year(third), month.small(), day.small())
}

/// Some writers pad the month to three digits.
fn month_of(token: &Token<'_>) -> Option<i8> {
    token.number().and_then(|value| i8::try_from(value).ok())
}

/// Year and month, month and year, year and day of the year.
fn two(first: &Token<'_>, second: &Token<'_>) -> Option<Date> {
    match (first.digits(), second.digits()) {
        (4, 3) => ordinal(full_year(first)?, second.number()?),
        (4, 1 | 2) => make(full_year(first), second.small(), Some(1)),
        (1 | 2, 4) => make(full_year(second), first.small(), Some(1)),
        _ => None,
    }
}

/// A run of digits: `20031231`, `2003335`, `031231`, `03335`, `2003`.
fn one(number: &Token<'_>) -> Option<Date> {
    let part = |from: usize, to: usize| number.text[from..to].parse::<i16>().ok();
    let small = |from: usize| part(from, from + 2).and_then(|value| i8::try_from(value).ok());
    match number.digits() {
        4 => make(full_year(number), Some(1), Some(1)),
        5 => ordinal(with_century(part(0, 2)?), u32::try_from(part(2, 5)?).ok()?),
        6 => make(part(0, 2).map(with_century), small(2), small(4)),
        7 => ordinal(part(0, 4)?, u32::try_from(part(4, 7)?).ok()?),
        8 => make(part(0, 4), small(4), small(6)),
        _ => None,
    }
}

fn ordinal(year: i16, day: u32) -> Option<Date> {
    let first = Date::new(year, 1, 1).ok()?;
    let days = i64::from(day).checked_sub(1).filter(|days| *days >= 0)?;
    first.checked_add(days.days()).ok().filter(|date| date.year() == year)
}

fn make(year: Option<i16>, month: Option<i8>, day: Option<i8>) -> Option<Date> {
    Date::new(year.filter(|year| *year > 0)?, month?, day?).ok()
}

/// Four digits stand for themselves, two turn over at 50, three count from 1900.
fn full_year(number: &Token<'_>) -> Option<i16> {
    let value = i16::try_from(number.number()?).ok()?;
    match number.digits() {
        2 => Some(with_century(value)),
        3 if value < 200 => Some(1900 + value),
        4 => Some(value),
        _ => None,
    }
}

fn with_century(year: i16) -> i16 {
    if year < 50 { 2000 + year } else { 1900 + year }
}
