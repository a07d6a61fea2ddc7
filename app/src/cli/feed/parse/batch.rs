//! How many documents are parsed at once, and their answers printed in the order of the list.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

use headwater_domain::ErrorKind;
use headwater_domain::secret::redact_text;
use headwater_ports::Error;
use serde::{Deserialize, Serialize};
use url::Url;

use super::{Known, Parsing, unwritten};
use crate::cli::Status;
use crate::failure::UsageError;
use crate::input;

/// Parses every document of a list, on all cores; each core holds one document and its answer.
pub(super) fn run(parsing: &Parsing, list: &Path) -> anyhow::Result<Status> {
    let lines: Box<dyn BufRead + Send> = if list.as_os_str() == "-" {
        Box::new(BufReader::new(io::stdin()))
    } else {
        Box::new(input::open(list).map_err(UsageError::from)?)
    };
    let batch = Batch {
        parsing,
        lines: Mutex::new(Lines { lines, taken: 0 }),
        turn: Turn::default(),
        parsed: AtomicUsize::new(0),
        failed: AtomicUsize::new(0),
    };
    let workers = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        let handles: Vec<_> = (0..workers).map(|_| scope.spawn(|| batch.work())).collect();
        handles.into_iter().try_for_each(|handle| handle.join().expect("a worker catches its panics"))
    })?;
    Ok(match (batch.parsed.into_inner(), batch.failed.into_inner()) {
        (_, 0) => Status::Done,
        (0, _) => Status::Failed,
        _ => Status::Partly,
    })
}

struct Batch<'a> {
    parsing: &'a Parsing,
    lines: Mutex<Lines>,
    turn: Turn,
    parsed: AtomicUsize,
    failed: AtomicUsize,
}

/// The list, and how many of its lines were taken.
struct Lines {
    lines: Box<dyn BufRead + Send>,
    taken: usize,
}

impl Batch<'_> {
    /// Takes lines and answers them until there are none.
    fn work(&self) -> Result<(), Error> {
        let mut answer = Vec::new();
        while let Some((number, line)) = self.next_line()? {
            answer.clear();
            let outcome = panic::catch_unwind(AssertUnwindSafe(|| self.answer(&line, &mut answer)));
            if outcome.is_err() {
                answer.clear();
                let error =
                    Error::new(ErrorKind::Internal, "parse feed", "the parser failed; this is a fault of the program");
                self.fail(&line, &error, &mut answer);
            }
            self.turn.wait_for(number);
            let written = io::stdout().lock().write_all(&answer).map_err(unwritten);
            self.turn.pass();
            written?;
        }
        Ok(())
    }

    /// The next line that is not blank, with its number among those.
    fn next_line(&self) -> Result<Option<(usize, String)>, Error> {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            let mut line = Vec::new();
            let length = lines.lines.read_until(b'\n', &mut line);
            match length {
                Ok(0) => return Ok(None),
                Ok(_) if line.trim_ascii().is_empty() => {}
                Ok(_) => {
                    lines.taken += 1;
                    return Ok(Some((lines.taken - 1, String::from_utf8_lossy(line.trim_ascii()).into_owned())));
                }
                Err(error) => {
                    return Err(
                        Error::new(ErrorKind::Internal, "read the list", "could not read the list").with_source(error)
                    );
                }
            }
        }
    }

    /// Parses the document that a line names.
    fn answer(&self, line: &str, answer: &mut Vec<u8>) {
        match self.parse(line, answer) {
            Ok(()) => _ = self.parsed.fetch_add(1, Ordering::Relaxed),
            Err(error) => {
                answer.clear();
                self.fail(line, &error, answer);
            }
        }
    }

    fn parse(&self, line: &str, answer: &mut Vec<u8>) -> Result<(), Error> {
        let entry = Entry::of(line)?;
        let base_url = entry.base_url.as_deref().map(Url::parse).transpose().map_err(|error| {
            Error::new(ErrorKind::InvalidUrl, "read the list", format!("the base URL is none: {error}"))
        })?;
        let bytes = input::read(Path::new(&*entry.path), self.parsing.max_bytes)
            .map_err(|unreadable| Error::new(ErrorKind::Internal, "read the document", unreadable.to_string()))?;
        let what = Known { base_url: base_url.as_ref(), content_type: entry.content_type.as_deref() };
        let document = self.parsing.parse(&bytes, what)?;
        drop(bytes);
        self.parsing.print(&document, answer)
    }

    fn fail(&self, line: &str, error: &Error, answer: &mut Vec<u8>) {
        self.failed.fetch_add(1, Ordering::Relaxed);
        let path = Entry::of(line).map_or_else(|_| line.to_owned(), |entry| entry.path.into_owned());
        let message = error.to_string();
        let error = ErrorJson { code: error.kind.code(), message: redact_text(&message), hint: error.hint.as_deref() };
        serde_json::to_writer(&mut *answer, &FailureJson { path, error }).expect("text is written to memory");
        answer.push(b'\n');
    }
}

/// Whose answer is printed next.
#[derive(Default)]
struct Turn {
    next: Mutex<usize>,
    passed: Condvar,
}

impl Turn {
    fn wait_for(&self, number: usize) {
        let next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.passed.wait_while(next, |next| *next != number);
        drop(waited.unwrap_or_else(PoisonError::into_inner));
    }

    fn pass(&self) {
        *self.next.lock().unwrap_or_else(PoisonError::into_inner) += 1;
        self.passed.notify_all();
    }
}

/// A line of the list.
#[derive(Debug, Deserialize)]
struct Entry<'a> {
    #[serde(borrow)]
    path: Cow<'a, str>,
    #[serde(borrow, default)]
    base_url: Option<Cow<'a, str>>,
    #[serde(borrow, default)]
    content_type: Option<Cow<'a, str>>,
}

impl<'a> Entry<'a> {
    fn of(line: &'a str) -> Result<Self, Error> {
        if !line.starts_with('{') {
            return Ok(Self { path: Cow::Borrowed(line), base_url: None, content_type: None });
        }
        serde_json::from_str(line).map_err(|error| {
            Error::new(ErrorKind::InvalidConfig, "read the list", format!("the line is no entry: {error}"))
        })
    }
}

#[derive(Serialize)]
struct FailureJson<'a> {
    path: String,
    error: ErrorJson<'a>,
}

#[derive(Serialize)]
struct ErrorJson<'a> {
    code: &'static str,
    message: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}
