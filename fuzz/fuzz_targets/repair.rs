//! Whatever is mended is well-formed.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| headwater_adapters_xml::fuzzing::repair(text));
