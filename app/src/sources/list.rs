//! Which sources a file lists: TOML with a `[[source]]` table or a URL for each, or OPML.

use std::fmt;
use std::path::Path;

use headwater_domain::ErrorKind;
use headwater_domain::feed::outline::{Outline, OutlineFeed, OutlineProblem};
use headwater_domain::synthesis::digest::Failure;
use headwater_ports::OutlineFormat;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserializer, MapAccess, Visitor};

use super::{Written, document};
use crate::failure::UsageError;

/// Reads the sources of a file.
///
/// # Errors
/// With line and column where the file cannot be understood.
pub(crate) fn read(path: &Path, outlines: &dyn OutlineFormat) -> Result<Vec<Written>, UsageError> {
    let bytes = document::read(path)?;
    if is_outline(path, &bytes) {
        let outline = outlines.read(&bytes).map_err(|error| UsageError(format!("{}: {error}", path.display())))?;
        return Ok(written(outline));
    }
    let document: Document = document::toml(path, &bytes)?;
    Ok(document.source.into_iter().map(|row| row.0).collect())
}

/// Whether a file is OPML: by its name, or since it begins as XML does.
fn is_outline(path: &Path, bytes: &[u8]) -> bool {
    let named = path
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("opml") || ending.eq_ignore_ascii_case("xml"));
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    named || text.trim_ascii_start().starts_with(b"<")
}

/// The feeds of an outline, and its entries that name none: they are reported beside the others.
fn written(outline: Outline) -> Vec<Written> {
    let feed =
        |feed: OutlineFeed| Written { url: feed.url.expose().to_string(), title: feed.title, ..Written::default() };
    let problem = |problem: OutlineProblem| Written {
        problem: Some(Failure {
            code: ErrorKind::InvalidUrl,
            message: format!("the entry names no feed ({})", problem.reason.as_str()),
            hint: None,
        }),
        ..Written::url(&problem.text)
    };
    outline.feeds.into_iter().map(feed).chain(outline.problems.into_iter().map(problem)).collect()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default, alias = "sources")]
    source: Vec<Row>,
}

/// A source: a table, or its URL alone.
#[derive(Debug)]
struct Row(Written);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    url: String,
    title: Option<String>,
    preferred: Option<bool>,
}

impl<'de> Deserialize<'de> for Row {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(RowVisitor)
    }
}

/// Tells the two forms apart; unlike an untagged enum it keeps the place of a mistake.
struct RowVisitor;

impl<'de> Visitor<'de> for RowVisitor {
    type Value = Row;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a URL, or a table with `url`, and if wanted `title` and `preferred`")
    }

    fn visit_str<E: de::Error>(self, url: &str) -> Result<Row, E> {
        Ok(Row(Written::url(url)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Row, A::Error> {
        let Table { url, title, preferred } = Table::deserialize(MapAccessDeserializer::new(map))?;
        Ok(Row(Written { url, title, preferred, problem: None }))
    }
}
