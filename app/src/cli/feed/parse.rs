//! How `feed parse` reads documents from files or standard input and shows them as JSON.

mod batch;

use std::io::{self, BufWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;

use headwater_domain::feed::FeedDocument;
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{Error, FeedInput, FeedParser, Preset, Sanitiser};
use jiff::Timestamp;
use url::Url;

use super::json::document_json;
use crate::cli::Status;
use crate::context::Context;
use crate::failure::UsageError;
use crate::output::ReaderGone;
use crate::{input, wiring};

/// What `feed parse` is given.
#[derive(Debug, clap::Args)]
pub(crate) struct ParseArgs {
    /// The document; `-` is standard input
    #[arg(value_name = "FILE", required_unless_present = "batch")]
    file: Option<PathBuf>,

    /// Parse many documents: a line in is a path or {"path","base_url","content_type"}, a line out a document or
    /// {"path","error"}
    #[arg(long, value_name = "LIST", conflicts_with_all = ["file", "base_url", "content_type"])]
    batch: Option<PathBuf>,

    /// Where the document was fetched: what relative URLs are relative to
    #[arg(long, value_name = "URL")]
    base_url: Option<Url>,

    /// The Content-Type that it was sent with
    #[arg(long, value_name = "TYPE")]
    content_type: Option<String>,

    /// Which items are kept: with anything to know them by, or with a title and a link
    #[arg(long, value_enum, default_value_t = PresetArg::Reader)]
    preset: PresetArg,

    /// Items over this many are left out
    #[arg(long, value_name = "N", default_value_t = limits::MAX_FEED_ITEMS)]
    max_items: usize,

    /// Bytes over this many are left out
    #[arg(long, value_name = "N", default_value_t = limits::MAX_BODY_BYTES)]
    max_bytes: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum PresetArg {
    Reader,
    Torrent,
}

/// Parses and prints.
pub(crate) async fn run(args: ParseArgs, context: &Context) -> anyhow::Result<Status> {
    let parsing = Parsing::new(&args, context);
    if let Some(list) = &args.batch {
        return batch::run(&parsing, list);
    }
    let path = args.file.expect("clap asks for a file where there is no list");
    let bytes = input::read(&path, args.max_bytes).map_err(UsageError::from)?;
    let what = Known { base_url: args.base_url.as_ref(), content_type: args.content_type.as_deref() };
    let document = parsing.parse(&bytes, what)?;
    drop(bytes);
    let mut out = BufWriter::new(io::stdout().lock());
    parsing.print(&document, &mut out)?;
    Ok(Status::Done)
}

/// What is known of a document from outside.
#[derive(Debug, Clone, Copy, Default)]
struct Known<'a> {
    base_url: Option<&'a Url>,
    content_type: Option<&'a str>,
}

/// How documents are parsed and shown in this run.
struct Parsing {
    parser: Arc<dyn FeedParser>,
    sanitiser: Arc<dyn Sanitiser>,
    preset: Preset,
    max_items: usize,
    max_bytes: u64,
    now: Timestamp,
}

impl Parsing {
    fn new(args: &ParseArgs, context: &Context) -> Self {
        let preset = match args.preset {
            PresetArg::Reader => Preset::Reader,
            PresetArg::Torrent => Preset::Torrent,
        };
        Self {
            parser: wiring::feed_parser(),
            sanitiser: wiring::sanitiser(),
            preset,
            max_items: args.max_items,
            max_bytes: args.max_bytes,
            now: context.clock.now(),
        }
    }

    fn parse(&self, bytes: &[u8], what: Known<'_>) -> Result<FeedDocument, Error> {
        self.parser.parse(&FeedInput {
            base_url: what.base_url,
            content_type: what.content_type,
            preset: self.preset,
            max_items: self.max_items,
            max_bytes: self.max_bytes,
            ..FeedInput::new(bytes)
        })
    }

    /// Writes a document as one line.
    fn print(&self, document: &FeedDocument, out: &mut impl Write) -> Result<(), Error> {
        let view = document_json(document, self.sanitiser.as_ref(), self.now);
        serde_json::to_writer(&mut *out, &view)
            .map_err(io::Error::from)
            .and_then(|()| out.write_all(b"\n"))
            .and_then(|()| out.flush())
            .map_err(unwritten)
    }
}

fn unwritten(error: io::Error) -> Error {
    let failure = Error::new(ErrorKind::Internal, "print the feed", "could not write to standard output");
    match error.kind() {
        io::ErrorKind::BrokenPipe => failure.with_source(ReaderGone),
        _ => failure.with_source(error),
    }
}
