//! Whether any bytes make the reader of lists panic, and whether what it reads is written so that it is read again.
#![no_main]

use headwater_adapters_xml::OpmlFormat;
use headwater_ports::{OutlineFormat, SecretsInUrls, WriteOptions};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(outline) = OpmlFormat.read(bytes) else { return };
    let options =
        WriteOptions { title: String::new(), created_at: jiff::Timestamp::UNIX_EPOCH, secrets: SecretsInUrls::Kept };
    let again =
        OpmlFormat.read(OpmlFormat.write(&outline.feeds, &options).as_bytes()).expect("what is written is a list");
    assert_eq!(again.feeds.len(), outline.feeds.len());
    assert!(again.problems.is_empty());
});
