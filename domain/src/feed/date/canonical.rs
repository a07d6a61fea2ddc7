//! Is a date text in one of the two forms that nearly all feeds use, and which moment is it then?

use jiff::civil::Date;

use super::clock::TimeOfDay;
use super::zone::Zone;

/// What is read without looking at words: a day, a time of day and a zone.
pub(super) type Parts = (Date, TimeOfDay, Zone);

/// Reads `2003-12-31T10:14:55Z` and `Wed, 31 Dec 2003 10:14:55 +0000` as they stand in the standards; anything else, and
/// anything out of range, is left to the reader that takes its time. Both give the same for what both read.
pub(super) fn read(text: &str) -> Option<Parts> {
    let mut bytes = Bytes(text.as_bytes());
    if text.as_bytes().get(4) == Some(&b'-') { internet_time(&mut bytes) } else { mail_time(&mut bytes) }
}

/// RFC 3339.
fn internet_time(bytes: &mut Bytes<'_>) -> Option<Parts> {
    let year = bytes.digits(4)?;
    let month = bytes.after(b'-')?.digits(2)?;
    let day = bytes.after(b'-')?.digits(2)?;
    let time = bytes.after(b'T')?.time(true)?;
    let zone = match bytes.0 {
        b"Z" => Zone::Fixed(0),
        [.., b':', _, _] if bytes.0.len() == 6 => {
            offset(bytes.sign()?, bytes.digits(2)?, bytes.after(b':')?.digits(2)?)?
        }
        _ => return None,
    };
    Some((date(year, month, day)?, time, zone))
}

/// RFC 2822, with four digits for the year.
fn mail_time(bytes: &mut Bytes<'_>) -> Option<Parts> {
    if let [a, b, c, b',', b' ', rest @ ..] = bytes.0
        && [a, b, c].iter().all(|byte| byte.is_ascii_alphabetic())
    {
        bytes.0 = rest;
    }
    let day = bytes.digits(2).or_else(|| bytes.digits(1))?;
    let month = bytes.after(b' ')?.month()?;
    let year = bytes.after(b' ')?.digits(4)?;
    let time = bytes.after(b' ')?.time(false)?;
    let zone = match bytes.after(b' ')?.0 {
        b"GMT" | b"UTC" | b"Z" => Zone::Fixed(0),
        rest if rest.len() == 5 => offset(bytes.sign()?, bytes.digits(2)?, bytes.digits(2)?)?,
        _ => return None,
    };
    Some((date(year, month, day)?, time, zone))
}

fn date(year: i32, month: i32, day: i32) -> Option<Date> {
    Date::new(year.try_into().ok()?, month.try_into().ok()?, day.try_into().ok()?).ok()
}

fn offset(sign: i32, hours: i32, minutes: i32) -> Option<Zone> {
    (hours <= 15 && minutes < 60).then_some(Zone::Fixed(sign * (hours * 3600 + minutes * 60)))
}

/// What is left of the text.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn after(&mut self, byte: u8) -> Option<&mut Self> {
        self.0 = self.0.strip_prefix(&[byte])?;
        Some(self)
    }

    /// A number of exactly so many digits at least.
    fn digits(&mut self, count: usize) -> Option<i32> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let value = digits
            .iter()
            .try_fold(0, |value, byte| byte.is_ascii_digit().then(|| value * 10 + i32::from(byte - b'0')))?;
        self.0 = rest;
        Some(value)
    }

    fn sign(&mut self) -> Option<i32> {
        let (sign, rest) = self.0.split_first()?;
        self.0 = rest;
        match sign {
            b'+' => Some(1),
            b'-' => Some(-1),
            _ => None,
        }
    }

    fn month(&mut self) -> Option<i32> {
        let (name, rest) = self.0.split_at_checked(3)?;
        let place = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(name))?;
        self.0 = rest;
        i32::try_from(place + 1).ok()
    }

    fn time(&mut self, with_fraction: bool) -> Option<TimeOfDay> {
        let hour = self.digits(2)?;
        let minute = self.after(b':')?.digits(2)?;
        let second = self.after(b':')?.digits(2)?;
        if hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        let nanosecond = if with_fraction && self.0.first() == Some(&b'.') { self.fraction()? } else { 0 };
        let small = |value: i32| i8::try_from(value).ok();
        Some(TimeOfDay { hour: small(hour)?, minute: small(minute)?, second: small(second)?, nanosecond })
    }

    fn fraction(&mut self) -> Option<i32> {
        let length = self.0[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        if !(1..=9).contains(&length) {
            return None;
        }
        let value = self.after(b'.')?.digits(length)?;
        Some((length..9).fold(value, |value, _| value * 10))
    }
}

const MONTHS: [&[u8]; 12] =
    [b"jan", b"feb", b"mar", b"apr", b"may", b"jun", b"jul", b"aug", b"sep", b"oct", b"nov", b"dec"];
