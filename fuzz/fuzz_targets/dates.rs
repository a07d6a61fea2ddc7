//! Whether any text makes the date reader panic, or gives a moment that it does not read back.
#![no_main]

use headwater_domain::feed::date::parse_date;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Some(date) = parse_date(text) {
        let again = parse_date(&date.at.to_string()).map(|date| date.at);
        assert_eq!(again, Some(date.at), "{text:?}");
    }
});
