//! Any bytes are parsed or refused, within the caps.
#![no_main]

use headwater_adapters_xml::XmlFeedParser;
use headwater_ports::{FeedInput, FeedParser};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(document) = XmlFeedParser::new().parse(&FeedInput::new(bytes)) {
        assert!(document.items.len() <= 1000);
        assert!(document.items.iter().all(|item| item.raw_digest.len() == 64));
    }
});
