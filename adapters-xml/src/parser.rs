//! How bytes become a feed: decoded, looked at, mended where needed, read, mapped.

use headwater_domain::feed::{FeedDocument, Warning, WarningCode};
use headwater_domain::secret::redact_text;
use headwater_ports::{FeedInput, FeedParser, Result};
use roxmltree::{Document, ParsingOptions};

use crate::charset::{self, Hints};
use crate::error::Refused;
use crate::mapping::{self, Setup};
use crate::repair;
use crate::scan::{self, Caps, Flaw, Outline, Roots, Scan};
use crate::tree::{Spaces, TreeElement};
use crate::{cut, refusal};

/// Parses RSS of every version and Atom 0.3 and 1.0, sound or broken.
#[derive(Debug, Clone, Copy, Default)]
pub struct XmlFeedParser;

impl XmlFeedParser {
    /// The parser; it has no settings of its own.
    pub fn new() -> Self {
        Self
    }
}

impl FeedParser for XmlFeedParser {
    fn recognises(&self, input: &FeedInput<'_>) -> bool {
        let named = input.content_type.is_some_and(|named| named.to_ascii_lowercase().contains("xml"));
        let marks: &[u8] = b"\xEF\xBB\xBF\xFE\xFF\0";
        let mut bytes = input.bytes.iter().filter(|byte| !byte.is_ascii_whitespace() && !marks.contains(byte));
        named || bytes.next() == Some(&b'<')
    }

    fn parse(&self, input: &FeedInput<'_>) -> Result<FeedDocument> {
        Ok(parse(input)?)
    }
}

fn parse(input: &FeedInput<'_>) -> std::result::Result<FeedDocument, Refused> {
    let (bytes, over) = cut::to_limit(input.bytes, input.max_bytes);
    refusal::check_bytes(bytes)?;
    let domain = input.base_url.and_then(|url| url.host_str()).and_then(|host| host.rsplit('.').next());
    let decoded = charset::decode(bytes, Hints { content_type: input.content_type, top_level_domain: domain });
    let mut document = read(&decoded.text, input)?;
    document.encoding = decoded.encoding;
    document.repaired |= decoded.repaired;
    document.warnings.splice(0..0, decoded.warnings);
    if over {
        warn(&mut document, WarningCode::Truncated, format!("bytes after the first {} left out", input.max_bytes));
    } else if input.body_cut {
        warn(&mut document, WarningCode::Truncated, "the transfer ended early".to_owned());
    }
    document.truncated |= over || input.body_cut;
    Ok(document)
}

fn read(text: &str, input: &FeedInput<'_>) -> std::result::Result<FeedDocument, Refused> {
    let caps = Caps::default();
    let setup = Setup { retrieval: input.base_url, preset: input.preset, max_items: input.max_items };
    match scan::scan(text, &caps, Roots::Known)? {
        Scan::Sound(outline) => match read_sound(text, &outline, setup, &caps) {
            Some(document) => Ok(document),
            None => mend(text, setup, &caps),
        },
        Scan::Broken(Flaw::StrangeRoot) => read_strange(text, setup, &caps),
        Scan::Broken(_) => mend(text, setup, &caps),
    }
}

/// The feed of a document that the XML reader takes as it is.
fn read_sound(text: &str, outline: &Outline, setup: Setup<'_>, caps: &Caps) -> Option<FeedDocument> {
    let tree = Document::parse_with_options(&text[outline.root.clone()], options(caps)).ok()?;
    let mut document = map(&tree, setup);
    if outline.doctype {
        warn(&mut document, WarningCode::DoctypeIgnored, "a DOCTYPE without declarations ignored".to_owned());
    }
    if outline.garbage_before || outline.garbage_after {
        let place = if outline.garbage_before { "before" } else { "after" };
        warn(&mut document, WarningCode::Garbage, format!("text {place} the document ignored"));
        document.repaired = true;
    }
    Some(document)
}

/// A document whose root no feed has: its items may be sound.
fn read_strange(text: &str, setup: Setup<'_>, caps: &Caps) -> std::result::Result<FeedDocument, Refused> {
    let root = repair::find_root(text)?.filter(|root| root.known && !refusal::is_page(root.first));
    let Some(root) = root else { return Err(refusal::of_text(text)) };
    if root.name == root.first
        && let Scan::Sound(outline) = scan::scan(text, caps, Roots::Any)?
        && let Some(document) = read_sound(text, &outline, setup, caps)
    {
        return if document.items.is_empty() { Err(refusal::of_text(text)) } else { Ok(document) };
    }
    mend(text, setup, caps)
}

/// The feed of a document that has to be mended first.
fn mend(text: &str, setup: Setup<'_>, caps: &Caps) -> std::result::Result<FeedDocument, Refused> {
    let root = repair::find_root(text)?.filter(|root| root.known && !refusal::is_page(root.first));
    let Some(root) = root else { return Err(refusal::of_text(text)) };
    let repaired = repair::repair(text, root.at, caps)?;
    let tree = Document::parse_with_options(&repaired.text, options(caps))
        .map_err(|error| Refused::Malformed(redact_text(&error.to_string()).into_owned()))?;
    let mut document = map(&tree, setup);
    if document.items.is_empty() && !root.is_feed() {
        return Err(refusal::of_text(text));
    }
    document.repaired = true;
    document.truncated |= repaired.truncated;
    document.warnings.splice(0..0, repaired.warnings);
    Ok(document)
}

fn map(tree: &Document<'_>, setup: Setup<'_>) -> FeedDocument {
    let root = tree.root_element();
    let spaces = Spaces::new(root);
    mapping::map(TreeElement::root(root, &spaces), setup)
}

fn options<'t>(caps: &Caps) -> ParsingOptions<'t> {
    let nodes_limit = u32::try_from(caps.nodes).unwrap_or(u32::MAX);
    ParsingOptions { allow_dtd: false, nodes_limit, ..ParsingOptions::default() }
}

fn warn(document: &mut FeedDocument, code: WarningCode, detail: String) {
    document.warnings.push(Warning { code, detail, item: None });
}

#[cfg(test)]
mod tests;
