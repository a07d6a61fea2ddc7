//! Whatever is sound to the reader is sound, and the same, to another one.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| headwater_adapters_xml::fuzzing::tree(text));
