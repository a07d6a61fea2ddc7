//! How documents reach standard output and messages standard error.

use std::fmt;
use std::io::{self, BufWriter, Write};

use headwater_ports::Page;
use serde::Serialize;

/// For whom the answer on standard output is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Text, and messages on standard error.
    People,
    /// JSON documents, failures too.
    Json,
}

/// Whoever read standard output has gone away (`headwater … | head`): no failure, the program ends quietly.
#[derive(Debug)]
pub(crate) struct ReaderGone;

impl fmt::Display for ReaderGone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("nobody reads standard output any more")
    }
}

impl std::error::Error for ReaderGone {}

/// Writes one JSON document, or one line of several, to standard output.
///
/// # Errors
/// [`ReaderGone`], which ends the program with status 0, or that of the writing.
pub(crate) fn json<T: Serialize>(document: &T) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(document)?;
    line.push(b'\n');
    bytes(&line)
}

/// Writes bytes to standard output.
pub(crate) fn bytes(content: &[u8]) -> anyhow::Result<()> {
    written(|out| out.write_all(content))
}

/// Writes a page to standard output, piece by piece.
pub(crate) fn page(page: &dyn Page) -> anyhow::Result<()> {
    written(|out| page.write_to(out))
}

fn written(write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(io::stdout().lock());
    match write(&mut out).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(ReaderGone.into()),
        result => Ok(result?),
    }
}

/// Writes a line of text to standard output.
pub(crate) fn text(line: &str) -> anyhow::Result<()> {
    bytes(format!("{line}\n").as_bytes())
}

/// Writes a line for people to standard error; a closed standard error is no reason to stop.
pub(crate) fn note(line: &str) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}
