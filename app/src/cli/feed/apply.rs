//! Tells the new items of feed documents from the known ones.

use std::path::PathBuf;

use clap::Args;
use headwater_domain::feed::FeedItem;
use headwater_domain::feed::cursor::{Applied, Batch, FeedCursor, apply_feed_items};
use headwater_domain::feed::identity::item_name;
use headwater_domain::limits;
use headwater_ports::FeedInput;
use serde::Serialize;
use serde_json::json;

use super::fetch::feed_url;
use super::kept::Kept;
use crate::cli::Status;
use crate::context::Context;
use crate::failure::UsageError;
use crate::{input, output, wiring};

/// The arguments of `feed apply`.
#[derive(Debug, Args)]
pub(crate) struct ApplyArgs {
    /// Documents of one feed, in the order in which they were fetched; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Where the feed is
    #[arg(long, value_name = "URL")]
    feed_url: String,

    /// Keep what is known in this file, from one call to the next
    #[arg(long, value_name = "FILE")]
    cursor: Option<PathBuf>,
}

/// A line of the answer.
#[derive(Serialize)]
struct Line {
    input: String,
    new: usize,
    updated: usize,
    aliased: usize,
    unchanged: usize,
    possible_gap: bool,
    /// Always 0: an item that rolls off is no deletion.
    deleted: usize,
    new_guids: Vec<String>,
    updated_guids: Vec<String>,
}

/// Applies each document to the cursor and prints a line for it. A document that cannot be read changes nothing.
pub(crate) async fn run(args: ApplyArgs, context: &Context) -> anyhow::Result<Status> {
    let parser = wiring::feed_parser();
    let feed_url = feed_url(&args.feed_url)?;
    args.files.iter().try_for_each(|file| input::expect(file)).map_err(UsageError::from)?;
    let mut cursor: Kept<FeedCursor> = Kept::open(args.cursor.as_deref())?;
    let mut failed = 0;
    for file in &args.files {
        let input = file.display().to_string();
        let bytes = input::read(file, limits::MAX_BODY_BYTES).map_err(UsageError::from)?;
        match parser.parse(&FeedInput { base_url: Some(feed_url.expose()), ..FeedInput::new(&bytes) }) {
            Ok(document) => {
                let (next, applied) =
                    apply_feed_items(&cursor.value, &document.items, Batch::Whole, context.clock.now());
                cursor.value = next;
                output::json(&line(input, &document.items, &applied))?;
            }
            Err(error) => {
                failed += 1;
                output::json(
                    &json!({ "input": input, "error": { "code": error.kind, "message": error.to_string() } }),
                )?;
            }
        }
    }
    cursor.save()?;
    Ok(match failed {
        0 => Status::Done,
        count if count == args.files.len() => Status::Failed,
        _ => Status::Partly,
    })
}

fn line(input: String, items: &[FeedItem], applied: &Applied) -> Line {
    let names = |places: &[usize]| places.iter().map(|&place| item_name(&items[place])).collect();
    Line {
        input,
        new: applied.new.len(),
        updated: applied.updated.len(),
        aliased: applied.aliased.len(),
        unchanged: applied.unchanged,
        possible_gap: applied.possible_gap,
        deleted: 0,
        new_guids: names(&applied.new),
        updated_guids: names(&applied.updated),
    }
}
