//! Whether any bytes make the JSON Feed parser panic, or go over its limits.
#![no_main]

use headwater_adapters_json::JsonFeedParser;
use headwater_ports::{FeedInput, FeedParser, Preset};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let preset = if bytes.first() == Some(&b' ') { Preset::Torrent } else { Preset::Reader };
    let input = FeedInput { preset, max_items: 3, ..FeedInput::new(bytes) };
    if let Ok(document) = JsonFeedParser.parse(&input) {
        assert!(document.items.len() <= 3);
        assert!(document.warnings.len() <= 101);
        let content = document.items.iter().filter_map(|item| item.content.as_ref());
        assert!(content.map(|content| content.raw.len()).sum::<usize>() <= bytes.len() * 3);
    }
});
