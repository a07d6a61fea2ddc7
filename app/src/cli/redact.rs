//! Takes every secret out of what stands on standard input.

use std::borrow::Cow;
use std::io::{self, BufRead, ErrorKind, Write};

use clap::Args;
use headwater_domain::secret::{mask_url, redact_text};

use super::Status;
use crate::context::Context;

/// The arguments of `redact`.
#[derive(Debug, Args)]
pub(crate) struct RedactArgs {
    /// Take each line for one URL, whatever stands in it
    #[arg(long)]
    url: bool,
}

/// Copies standard input to standard output, a line at a time, without its secrets.
pub(crate) async fn run(args: RedactArgs, _context: &Context) -> anyhow::Result<Status> {
    let redact: fn(&str) -> Cow<'_, str> = if args.url { mask_url } else { redact_text };
    match copy(io::stdin().lock(), io::stdout().lock(), redact) {
        // The reader of the output went away: nobody is left to write for.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Status::Done),
        result => Ok(result.map(|()| Status::Done)?),
    }
}

fn copy(mut input: impl BufRead, mut output: impl Write, redact: fn(&str) -> Cow<'_, str>) -> io::Result<()> {
    let mut line = Vec::new();
    while input.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let body = text.trim_end_matches(['\r', '\n']);
        output.write_all(redact(body).as_bytes())?;
        output.write_all(&text.as_bytes()[body.len()..])?;
        line.clear();
    }
    output.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(input: &[u8], redact: fn(&str) -> Cow<'_, str>, expected: &str) {
        let mut output = Vec::new();
        copy(input, &mut output, redact).unwrap();
        assert_eq!(String::from_utf8(output).unwrap(), expected);
    }

    #[test]
    fn line_ends_stay_as_they_are() {
        check(b"a\r\npasskey=x\r\n\nb", redact_text, "a\r\npasskey=[REDACTED]\r\n\nb");
        check(b"https://h/?a=b c&token=x\nhttps://h/", mask_url, "https://h/?a=b c&token=[REDACTED]\nhttps://h/");
    }

    #[test]
    fn bytes_that_are_no_text_are_no_hiding_place() {
        check(b"\xff?passkey=a\xfeb&c=1\n", redact_text, "\u{fffd}?passkey=[REDACTED]&c=1\n");
    }
}
