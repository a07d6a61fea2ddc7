//! How log lines lose their secrets on the way out.

use std::io::{self, Write};

use headwater_domain::secret::redact_text;

/// Takes the secrets out of what is written. A log line comes in one piece; a secret does not span two.
pub(super) struct Redacting<W>(pub(super) W);

impl<W: Write> Write for Redacting<W> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        self.0.write_all(redact_text(&String::from_utf8_lossy(line)).as_bytes())?;
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_without_its_secrets() {
        let mut out = Vec::new();
        Redacting(&mut out).write_all(b"GET https://h.example/?passkey=AAAA1111&x=1 failed\n").unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "GET https://h.example/?passkey=[REDACTED]&x=1 failed\n");
    }
}
