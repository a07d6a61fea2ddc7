//! JSON Feed 1.0 and 1.1: how such a document becomes a `FeedDocument`.

mod encoding;
mod mapping;
mod raw;
mod refusal;
#[cfg(test)]
mod tests;
mod wire;

use headwater_domain::feed::{FeedDocument, Warning, WarningCode};
use headwater_domain::{ErrorKind, limits};
use headwater_ports::{Error, FeedInput, FeedParser, Result};

use self::encoding::Decoded;
use self::raw::{Broken, Raw};
use self::wire::{Head, WireItem};

/// Parses JSON Feeds leniently.
///
/// A member of the wrong type counts as absent, a broken item costs that item, a document that ends early gives the
/// items that are whole. The text is gone through twice, one item is held at a time, and nothing recurses.
#[derive(Debug, Clone, Copy, Default)]
pub struct JsonFeedParser;

impl FeedParser for JsonFeedParser {
    fn recognises(&self, input: &FeedInput<'_>) -> bool {
        encoding::first_character(input.bytes).is_some_and(|first| first == '{' || first == '[')
    }

    fn parse(&self, input: &FeedInput<'_>) -> Result<FeedDocument> {
        let limit = usize::try_from(input.max_bytes).unwrap_or(usize::MAX).min(input.bytes.len());
        let cut = input.body_cut || limit < input.bytes.len();
        let decoded = encoding::decode(&input.bytes[..limit], input.content_type);
        if decoded.text.trim().is_empty() {
            return Err(input.fault(Error::new(ErrorKind::EmptyBody, OPERATION, "the body is empty")));
        }
        let reading = Reading::of(input, &decoded, cut).map_err(|error| input.fault(error))?;
        let is_whole = reading.head.broken.is_none();
        let document = reading.document()?;
        if input.body_cut && !is_whole && document.items.is_empty() { Err(input.broken_off()) } else { Ok(document) }
    }
}

/// A document that is being read.
struct Reading<'a> {
    input: &'a FeedInput<'a>,
    head: Head<'a>,
    document: FeedDocument,
}

impl<'a> Reading<'a> {
    /// The first pass: everything but the items.
    fn of(input: &'a FeedInput<'a>, decoded: &'a Decoded<'a>, cut: bool) -> Result<Self> {
        let text = decoded.text.trim_start();
        let head = Head::read(text).map_err(too_deep)?;
        let Some(format) = head.format() else { return Err(refusal::not_a_feed(text, &head)) };
        let mut document = FeedDocument::empty(format);
        decoded.describe(&mut document);
        document.truncated = cut;
        match head.broken {
            None => tail(head.tail, &mut document)?,
            Some(Broken::Ended) => document.truncated = true,
            Some(_) if head.items.is_none() => {
                return Err(Error::new(ErrorKind::Malformed, OPERATION, "the JSON is broken before its items begin"));
            }
            Some(_) => {
                document.repaired = true;
                document.truncated = true;
            }
        }
        if document.truncated {
            warn(&mut document, WarningCode::Truncated, "the document ends early", None);
        }
        mapping::head(&head, input.base_url, &mut document);
        Ok(Self { input, head, document })
    }

    /// The second pass: the items.
    fn document(mut self) -> Result<FeedDocument> {
        let base = mapping::base(&self.document, self.input.base_url);
        let Some(mut elements) = self.head.items.and_then(Raw::elements) else { return Ok(self.document) };
        // An element after a fault is not there any more: the first pass said so.
        for index in 0.. {
            let Ok(Some(element)) = elements.next_element() else { break };
            if self.document.items.len() == self.input.max_items {
                self.document.truncated = true;
                warn(&mut self.document, WarningCode::Truncated, "items over the limit were left out", None);
                break;
            }
            self.item(element, index, base.as_ref());
        }
        Ok(self.document)
    }

    fn item(&mut self, element: Raw<'_>, index: usize, base: Option<&url::Url>) {
        let wire = match WireItem::read(element) {
            Ok(wire) => wire,
            Err(reason) => return warn(&mut self.document, WarningCode::ItemSkipped, reason, Some(index)),
        };
        let (item, doubts) = mapping::item(&wire, base, self.input.preset);
        for (code, detail) in doubts {
            warn(&mut self.document, code, &detail, Some(index));
        }
        match item {
            Some(item) => self.document.items.push(item),
            None => {
                warn(&mut self.document, WarningCode::ItemSkipped, "the item has nothing to know it by", Some(index))
            }
        }
    }
}

/// What may stand behind the document: nothing, or the warnings of a web server's script.
fn tail(tail: &str, document: &mut FeedDocument) -> Result<()> {
    let tail = tail.trim_matches(|c: char| c.is_whitespace() || c.is_control() || c == ';');
    if tail.is_empty() {
        return Ok(());
    }
    if !tail.starts_with('<') {
        return Err(Error::new(ErrorKind::Malformed, OPERATION, "something else follows the JSON document"));
    }
    document.repaired = true;
    warn(document, WarningCode::Garbage, "text after the document was left out", None);
    Ok(())
}

/// Adds a warning, up to a number that nobody reads more than.
fn warn(document: &mut FeedDocument, code: WarningCode, detail: &str, item: Option<usize>) {
    if document.warnings.len() < MAX_WARNINGS {
        document.warnings.push(Warning { code, detail: detail.to_owned(), item });
    }
}

fn too_deep(_: Broken) -> Error {
    Error::new(ErrorKind::TooDeep, OPERATION, format!("values nest deeper than {}", limits::MAX_JSON_DEPTH))
}

const OPERATION: &str = "parse JSON feed";
const MAX_WARNINGS: usize = 100;
