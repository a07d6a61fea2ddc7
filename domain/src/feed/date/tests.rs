//! What `feed::date` is held to.

use proptest::prelude::*;

use super::*;

/// `expected` is the moment in UTC, with ` ?` behind it where the zone was assumed, or empty where there is no date.
#[track_caller]
fn check(text: &str, expected: &str) {
    let found = parse_date(text)
        .map_or(String::new(), |date| format!("{}{}", date.at, if date.zone == DateZone::Assumed { " ?" } else { "" }));
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn rfc_822_and_its_descendants() {
    check("Sun, 06 Sep 2009 16:18:00 +0000", "2009-09-06T16:18:00Z");
    check("Sun, 06 Sep 2009 16:18:00 -0430", "2009-09-06T20:48:00Z");
    check("06 Sep 2009 16:18 GMT", "2009-09-06T16:18:00Z");
    check("6 Sep 09 16:18 GMT", "2009-09-06T16:18:00Z");
    check("31 Dec 99 23:59:59 +0000", "1999-12-31T23:59:59Z");
    check("Sat,29 Jul 2006 00:03:02 +0000", "2006-07-29T00:03:02Z");
    check("Wed 5 Jan 2011 01:30:00 GMT", "2011-01-05T01:30:00Z");
    check("Thu, 01 Jan 104 19:48:21 GMT", "2004-01-01T19:48:21Z");
    check("Tue, 3 Mar 2009 0:33:24 +0900", "2009-03-02T15:33:24Z");
    check("  Wed,  1 Feb 2006\t10:27:25 -0500 ", "2006-02-01T15:27:25Z");
    check("Mon, 31 Jan 2011 GMT", "2011-01-31T00:00:00Z");
    check("Thu, 01 Jan 2004", "2004-01-01T00:00:00Z ?");
    check("03 Apr 02 1500 GMT", "2002-04-03T15:00:00Z");
    check("Thu (oh how I hate thursdays), 16(th) Feb(ruary) 2006 01:39 +0000 (GMT r0x0rz)", "2006-02-16T01:39:00Z");
    check("Wrongday, 06 Sep 2009 16:18:00 +0000", "2009-09-06T16:18:00Z");
    check("Thurs, 3 Sept 2009 16:18:00 Z", "2009-09-03T16:18:00Z");
    check("SUN, 06 SEP 2009 16:18:00 gmt", "2009-09-06T16:18:00Z");
}

#[test]
fn zones() {
    let noon = |zone: &str| format!("Tue, 14 Jan 2020 12:00:00 {zone}");
    for utc in ["UT", "UTC", "GMT", "Z", "+0000", "-0000", "Etc/GMT", "+00:00", "GMT+00:00", "GMT+0000"] {
        check(&noon(utc), "2020-01-14T12:00:00Z");
    }
    for (zone, hour) in
        [("EST", 17), ("EDT", 16), ("CST", 18), ("CDT", 17), ("MST", 19), ("MDT", 18), ("PST", 20), ("PDT", 19)]
    {
        check(&noon(zone), &format!("2020-01-14T{hour}:00:00Z"));
    }
    check(&noon("CET"), "2020-01-14T11:00:00Z");
    check(&noon("CEST"), "2020-01-14T10:00:00Z");
    check(&noon("JST"), "2020-01-14T03:00:00Z");
    check(&noon("+1"), "2020-01-14T11:00:00Z");
    check(&noon("+530"), "2020-01-14T06:30:00Z");
    check(&noon("UTC+8"), "2020-01-14T04:00:00Z");
    check(&noon("EST -0500"), "2020-01-14T17:00:00Z");
    check(&noon("Etc/GMT+5"), "2020-01-14T17:00:00Z");
    check(&noon("\u{2212}05:00"), "2020-01-14T17:00:00Z");
}

#[test]
fn zones_with_no_meaning_or_several_are_taken_as_utc() {
    for zone in ["", "IST", "GST", "A", "N", "Y", "XYZ", "Nowhere/Land", "+9900", "+0199"] {
        check(&format!("Fri, 27 Mar 2020 10:00:00 {zone}"), "2020-03-27T10:00:00Z ?");
    }
}

#[test]
fn zones_of_the_united_states_without_a_season_follow_it() {
    check("Mon, 26 January 2004 16:31:00 ET", "2004-01-26T21:31:00Z");
    check("10/01/11 22:48:58 ET", "2011-10-02T02:48:58Z");
    check("Mon, 26 July 2004 16:31:00 PT", "2004-07-26T23:31:00Z");
    check("Sun, 13 Mar 2011 01:59:59 CT", "2011-03-13T07:59:59Z");
    check("Sun, 13 Mar 2011 03:00:00 CT", "2011-03-13T08:00:00Z");
}

#[test]
fn rfc_850_and_asctime() {
    check("Monday, 06-May-24 07:08:09 GMT", "2024-05-06T07:08:09Z");
    check("Monday, 06-May-49 07:08:09 GMT", "2049-05-06T07:08:09Z");
    check("Monday, 06-May-50 07:08:09 GMT", "1950-05-06T07:08:09Z");
    check("Sun Jan  4 16:29:06 2004", "2004-01-04T16:29:06Z ?");
    check("Sun Jan  4 16:29:06 PST 2004", "2004-01-05T00:29:06Z");
    check("Mon May 30 19:27:00 +0000 2011", "2011-05-30T19:27:00Z");
    check("06-May-2024 07:08", "2024-05-06T07:08:00Z ?");
}

#[test]
fn iso_8601() {
    check("2003-12-31T10:14:55Z", "2003-12-31T10:14:55Z");
    check("2003-12-31t10:14:55z", "2003-12-31T10:14:55Z");
    check("2003-12-31T10:14:55+01:00", "2003-12-31T09:14:55Z");
    check("2003-12-31T10:14:55-0130", "2003-12-31T11:44:55Z");
    check("2003-12-31T10:14:55+01", "2003-12-31T09:14:55Z");
    check("2003-12-31 10:14:55 +0100", "2003-12-31T09:14:55Z");
    check("2003-07-01 T 01:55:07-05:00", "2003-07-01T06:55:07Z");
    check("2003-12-31T10:14Z", "2003-12-31T10:14:00Z");
    check("2003-12-31T10Z", "2003-12-31T10:00:00Z");
    check("2003-12-31T10:14:55", "2003-12-31T10:14:55Z ?");
    check("2007-02-05T12:12:12T", "2007-02-05T12:12:12Z ?");
    check("2003-12-31", "2003-12-31T00:00:00Z ?");
    check("2003-12-31Z", "2003-12-31T00:00:00Z");
    check("2003-12-31+01:00", "2003-12-30T23:00:00Z");
    check("2003-12-31-05:00", "2003-12-31T05:00:00Z");
    check("2003-12", "2003-12-01T00:00:00Z ?");
    check("2003", "2003-01-01T00:00:00Z ?");
    check("20031231", "2003-12-31T00:00:00Z ?");
    check("20031231T101455Z", "2003-12-31T10:14:55Z");
    check("20031231T19:20:30.45+01:00", "2003-12-31T18:20:30.45Z");
    check("2002-12-31T192030+01:00", "2002-12-31T18:20:30Z");
    check("20031231101455", "2003-12-31T10:14:55Z ?");
    check("200312311014", "2003-12-31T10:14:00Z ?");
    check("2003-335", "2003-12-01T00:00:00Z ?");
    check("2003335", "2003-12-01T00:00:00Z ?");
    check("2004-366T10:00:00Z", "2004-12-31T10:00:00Z");
    check("03335", "2003-12-01T00:00:00Z ?");
    check("03-12-31", "2003-12-31T00:00:00Z ?");
    check("031231", "2003-12-31T00:00:00Z ?");
    check("2004-W23-5", "2004-06-04T00:00:00Z ?");
    check("2004W235T10:00Z", "2004-06-04T10:00:00Z");
    check("2004-W23", "2004-05-31T00:00:00Z ?");
    check("2009-W53-7", "2010-01-03T00:00:00Z ?");
    check("2003-012-31T10:14:55+00:00", "2003-12-31T10:14:55Z");
    check("2006-01-17T12:35:9+01:00", "2006-01-17T11:35:09Z");
}

#[test]
fn fractions() {
    check("2003-12-31T10:14:55.1234Z", "2003-12-31T10:14:55.1234Z");
    check("2003-12-31T10:14:55,5Z", "2003-12-31T10:14:55.5Z");
    check("2022-07-28T03:40:34.0000000001234Z", "2022-07-28T03:40:34Z");
    check("2003-12-31T10:14.5Z", "2003-12-31T10:14:30Z");
    check("2004-07-08 23:56:58.0", "2004-07-08T23:56:58Z ?");
    check("Tue, 14 Apr 2020 08:00:00.250 GMT", "2020-04-14T08:00:00.25Z");
}

#[test]
fn ends_of_days_and_minutes_run_over() {
    check("2003-12-31T24:00:00Z", "2004-01-01T00:00:00Z");
    check("Sat, 31 Dec 2016 23:59:60 GMT", "2017-01-01T00:00:00Z");
    check("2003-12-31T24:00:01Z", "");
    check("2003-12-31T10:00:61Z", "");
}

#[test]
fn other_orders() {
    check("Mon, May 25 2020 04:45:26 +0000", "2020-05-25T04:45:26Z");
    check("May 25, 2020", "2020-05-25T00:00:00Z ?");
    check("May 25th, 2020 4:45 PM EST", "2020-05-25T21:45:00Z");
    check("May 2020", "2020-05-01T00:00:00Z ?");
    check("2020 May 25", "2020-05-25T00:00:00Z ?");
    check("2020-May-25 10:00", "2020-05-25T10:00:00Z ?");
    check("10:00 GMT 25 May 2020", "2020-05-25T10:00:00Z");
    check("Fri, 2006/09/15 08:19:53 EDT", "2006-09-15T12:19:53Z");
    check("2011/10/04 01:51", "2011-10-04T01:51:00Z ?");
    check("22.11.2022 12:16:00", "2022-11-22T12:16:00Z ?");
    check("22. 11. 2022 12.16", "2022-11-22T12:16:00Z ?");
    check("05/25/2020 10:00", "2020-05-25T10:00:00Z ?");
    check("25/05/2020 10:00", "2020-05-25T10:00:00Z ?");
    check("25-05-2020", "2020-05-25T00:00:00Z ?");
    check("10:00 - 06/05/2024", "2024-06-05T10:00:00Z ?");
    check("Published: 5 May 2020 at 14h30", "2020-05-05T14:30:00Z ?");
}

#[test]
fn halves_of_the_day() {
    check("Mon, 21 Jan 2008 8:56 am PST", "2008-01-21T16:56:00Z");
    check("Sun, 20 Apr 2014 8:19 pm CEST", "2014-04-20T18:19:00Z");
    check("5/6/2024 12:05:00 AM", "2024-05-06T00:05:00Z ?");
    check("5/6/2024 12:05:00 p.m. GMT", "2024-05-06T12:05:00Z");
    check("5/6/2024 15:05 PM", "2024-05-06T15:05:00Z ?");
}

#[test]
fn numbers_since_1970() {
    check("1518478934", "2018-02-12T23:42:14Z");
    check("1756909235000", "2025-09-03T14:20:35Z");
    check("1756909235.5", "2025-09-03T14:20:35Z");
    check("1756909235000000", "2025-09-03T14:20:35Z");
    check("/Date(1756909235000+0200)/", "2025-09-03T14:20:35Z");
    check("12345678901", "");
    check("99999999999999999999999", "");
}

#[test]
fn months_of_many_languages() {
    let october = [
        "October",
        "OCT",
        "Okt.",
        "oktober",
        "octobre",
        "octubre",
        "ottobre",
        "ott",
        "outubro",
        "Out",
        "października",
        "paź",
        "října",
        "Říj",
        "октября",
        "окт",
        "жовтня",
        "Lok",
        "lokakuuta",
        "október",
        "Οκτωβρίου",
        "Οκτ",
        "Ekim",
        "Eki",
        "octombrie",
        "oktobra",
        "oktoober",
        "spalio",
    ];
    for month in october {
        check(&format!("Xx, 30 {month} 2013 11:34:37 +0000"), "2013-10-30T11:34:37Z");
        check(&format!("30 {} 2013 11:34:37 +0000", month.to_uppercase()), "2013-10-30T11:34:37Z");
    }
    check("Do, 07 Mär 2019 06:30:00 +0100", "2019-03-07T05:30:00Z");
    check("Do, 07 Ma\u{308}rz 2019 06:30:00 +0100", "2019-03-07T05:30:00Z");
    check("dom, 02 ott 2022 18:55:00 GMT", "2022-10-02T18:55:00Z");
    check("mer, 14 août 2005 20:21:47 +0000", "2005-08-14T20:21:47Z");
    check("5 de mayo de 2020", "2020-05-05T00:00:00Z ?");
    check("1er févr. 2020", "2020-02-01T00:00:00Z ?");
    check("3. marraskuuta 2020 klo 10:00", "2020-11-03T10:00:00Z ?");
    check("Κυρ, 11 Ιούλ 2004 12:00:00 EST", "2004-07-11T17:00:00Z");
    check("Пн, 5 мая 2020 10:00:00 MSK", "2020-05-05T07:00:00Z");
    check("Ср, 5 травня 2021", "2021-05-05T00:00:00Z ?");
    check("28 Aralık 2019", "2019-12-28T00:00:00Z ?");
    check("28 maj 2019", "2019-05-28T00:00:00Z ?");
    check("2020. május 5.", "2020-05-05T00:00:00Z ?");
    check("5 tháng 6 2020", "2020-06-05T00:00:00Z ?");
}

#[test]
fn weekdays_that_look_like_months_are_weekdays() {
    check("mar, 02 ott 2022 18:55:00 GMT", "2022-10-02T18:55:00Z");
    check("mar. 3 mars 2020", "2020-03-03T00:00:00Z ?");
    check("Paz, 06 Eki 2024 10:00:00 GMT", "2024-10-06T10:00:00Z");
    check("Sze, 4 Dec 2024", "2024-12-04T00:00:00Z ?");
    check("mar, 02 xyz 2022 18:55:00 GMT", "");
}

#[test]
fn a_word_that_merely_begins_like_a_month_is_none() {
    check("30 Juneau 2013 11:34:37 +0000", "");
    check("30 Mayor 2013 11:34:37 +0000", "");
    check("30 jui 2013", "");
}

#[test]
fn east_asian_forms() {
    check("2004年5月28日", "2004-05-28T00:00:00Z ?");
    check("2004年05月28日 下午 01:31:15", "2004-05-28T13:31:15Z ?");
    check("2004年05月28日13时31分15秒", "2004-05-28T13:31:15Z ?");
    check("2004年5月28日（金） 午前9時5分", "2004-05-28T09:05:00Z ?");
    check("２００４年５月２８日 １３：３１", "2004-05-28T13:31:00Z ?");
    check("2004년 05월 28일 오후 01:31:15", "2004-05-28T13:31:15Z ?");
    check("2004년 5월 28일 오전 12시 30분", "2004-05-28T00:30:00Z ?");
    check("2004-05-25 오후 11:23:17", "2004-05-25T23:23:17Z ?");
    check("2024. 5. 6. 오후 3:04", "2024-05-06T15:04:00Z ?");
    check("星期一, 06 五月 2024 10:00:00 +0800", "2024-05-06T02:00:00Z");
    check("周五, 06 十二月 2024 10:00:00 +0800", "2024-12-06T02:00:00Z");
    check("月, 06 5月 2024 10:00:00 +0900", "2024-05-06T01:00:00Z");
    check("월, 06 5월 2024 10:00:00 +0900", "2024-05-06T01:00:00Z");
    check("令和6年5月1日", "2024-05-01T00:00:00Z ?");
    check("5月28日", "");
}

#[test]
fn no_dates() {
    for text in [
        "",
        " ",
        "Invalid Date",
        "Not a date at all!",
        "0",
        "12",
        "T",
        "Z",
        ":",
        "-",
        "10:00",
        "Item 12",
        "Room 2003",
        "2027V000p647-2:080000000\" 34Z",
        "yesterday",
        "0000-00-00 00:00:00",
        "0000-00-00",
        "0001-01-01T00:00:00Z",
        "Thu, 01 Jan 1970 00:00:00 GMT",
        "1970-01-01",
        "Wed, 31 Dec 1969 19:00:00 EST",
        "1900-01-01T00:00:00",
        "1899-12-30T00:00:00Z",
        "000000000",
        "0000000000",
        "2003-02-30T00:00:00Z",
        "2003-13-01T00:00:00Z",
        "30 Feb 2003 10:00 GMT",
        "2003-12-31T25:00:00Z",
        "2003-12-31T10:60:00Z",
        "07-01T01:55:07-05:00",
        "--12-31",
        "2003-W54-1",
        "2003-W10-8",
        "2003-366",
        "2003-000",
        "6 Sep 16:18 GMT",
        "9999-12-31T23:59:59Z",
        "20041331",
        "999999999999999999999-01-01",
        "May",
        "1.2.3",
    ] {
        check(text, "");
    }
    check(&"2003-12-31 ".repeat(30), "");
}

proptest! {
    #[test]
    fn nothing_panics(text in "\\PC{0,60}") {
        parse_date(&text);
    }

    #[test]
    fn nothing_that_looks_like_a_date_panics(text in "([0-9]{1,5}|[-+:./, TZW年月日()]|Mar|pm|GMT|시|二){0,24}") {
        parse_date(&text);
    }

    #[test]
    fn what_we_write_is_what_we_read(second in -30_000_000_000_i64..250_000_000_000) {
        let at = Timestamp::from_second(second).expect("within the range");
        prop_assume!(!means_nothing(at));
        prop_assert_eq!(parse_date(&at.to_string()).map(|date| date.at), Some(at));
        let zoned = at.to_zoned(jiff::tz::TimeZone::UTC);
        for form in ["%a, %d %b %Y %H:%M:%S GMT", "%a %b %e %H:%M:%S UTC %Y", "%Y%m%dT%H%M%SZ", "%G-W%V-%uT%H:%M:%SZ", "%Y-%jT%H:%M:%SZ"] {
            let text = zoned.strftime(form).to_string();
            prop_assert_eq!(parse_date(&text), Some(FeedDate { at, zone: DateZone::Stated }), "{}", text);
        }
    }

    #[test]
    fn the_quick_reader_agrees_with_the_slow_one(
        year in 1000..9999, month in 0..14usize, day in 0..33, hour in 0..25, minute in 0..61, second in 0..61, zone in 0..6usize,
        fraction in "(\\.[0-9]{1,10})?",
    ) {
        let iso_zone = ["Z", "+00:00", "-05:30", "+15:59", "+16:00", "-00:60"][zone];
        let mail_zone = ["GMT", "UTC", "Z", "+0000", "-0530", "+9900"][zone];
        let name = ["Jan", "feb", "MAR", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Foo", "Mai"][month];
        let iso = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{fraction}{iso_zone}");
        let mail = format!("Mon, {day:02} {name} {year:04} {hour:02}:{minute:02}:{second:02} {mail_zone}");
        for text in [&iso, &mail, &mail[5..], &mail.replace(", 0", ", ")] {
            if let Some((date, time, zone)) = canonical::read(text) {
                prop_assert_eq!(moment(date, time, Some(zone)), read_slowly(text), "{}", text);
            }
        }
        let exists = (1..=12).contains(&month) && (1..=28).contains(&day) && hour < 24 && minute < 60 && second < 60;
        if exists {
            prop_assert!(zone > 3 || canonical::read(&iso).is_some() || fraction.len() > 10, "{}", iso);
            prop_assert!(zone > 4 || name == "Foo" || canonical::read(&mail).is_some(), "{}", mail);
        }
    }
}
