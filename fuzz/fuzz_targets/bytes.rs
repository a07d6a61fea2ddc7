//! Any bytes, with any header, become text.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (&[u8], &str)| {
    let (bytes, content_type) = input;
    headwater_adapters_xml::fuzzing::decode(bytes, content_type);
});
