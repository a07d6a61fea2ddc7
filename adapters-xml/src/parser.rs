//! How bytes become a feed: decoded, looked at, mended where needed, read, mapped.

use headwater_domain::feed::{FeedDocument, Warning, WarningCode};
use headwater_ports::{FeedInput, FeedParser, Result};

use crate::charset::{self, Hints};
use crate::error::Refused;
use crate::mapping::{self, Setup};
use crate::repair;
use crate::scan::{self, Caps, Flaw, Outline, Roots, Scan, Size};
use crate::tree::{self, Ending, TreeElement};
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
        match parse(input) {
            // What has no end of its own had to be mended.
            Ok(document) if input.body_cut && document.repaired && document.items.is_empty() => Err(input.broken_off()),
            Ok(document) => Ok(document),
            Err(refused) => Err(input.fault(refused.into())),
        }
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
    match scan_and_read(text, Roots::Known, setup, &caps)? {
        Ok(document) => Ok(document),
        Err(Flaw::StrangeRoot) => read_strange(text, setup, &caps),
        Err(_) => mend(text, setup, &caps),
    }
}

/// The feed of a document that is sound, or what is wrong with it.
///
/// The text is cut behind the first item over the limit, so that no tree is made of what would be left out. Items that
/// are not kept do not count, so where there were some the cut is made further on.
fn scan_and_read(
    text: &str,
    roots: Roots,
    setup: Setup<'_>,
    caps: &Caps,
) -> std::result::Result<std::result::Result<FeedDocument, Flaw>, Refused> {
    let mut limit = setup.max_items.saturating_add(1);
    loop {
        let outline = match scan::scan(text, caps, roots, limit)? {
            Scan::Sound(outline) => outline,
            Scan::Broken(flaw) => return Ok(Err(flaw)),
        };
        match read_sound(text, &outline, setup) {
            Ok(document) if outline.cut && !document.truncated => limit = limit.saturating_mul(2),
            read => return Ok(read),
        }
    }
}

fn read_sound(text: &str, outline: &Outline, setup: Setup<'_>) -> std::result::Result<FeedDocument, Flaw> {
    let ending = if outline.cut { Ending::Open } else { Ending::Closed };
    let tree = tree::build(&text[outline.root.clone()], outline.size, ending)?;
    let mut document = mapping::map(TreeElement::root(&tree), setup);
    if outline.doctype {
        warn(&mut document, WarningCode::DoctypeIgnored, "a DOCTYPE without declarations ignored".to_owned());
    }
    if outline.garbage_before || outline.garbage_after {
        let place = if outline.garbage_before { "before" } else { "after" };
        warn(&mut document, WarningCode::Garbage, format!("text {place} the document ignored"));
        document.repaired = true;
    }
    Ok(document)
}

/// A document whose root no feed has: its items may be sound.
fn read_strange(text: &str, setup: Setup<'_>, caps: &Caps) -> std::result::Result<FeedDocument, Refused> {
    let root = repair::find_root(text)?.filter(|root| root.known && !refusal::is_page(root.first));
    let Some(root) = root else { return Err(refusal::of_text(text)) };
    refusal::check_root(&text[root.at..])?;
    if root.name == root.first
        && let Ok(document) = scan_and_read(text, Roots::Any, setup, caps)?
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
    let tree = tree::build(&repaired.text, Size::guess(&repaired.text), Ending::Closed)
        .map_err(|flaw| Refused::Malformed(flaw.to_string()))?;
    let mut document = mapping::map(TreeElement::root(&tree), setup);
    if document.items.is_empty() && !root.is_feed() {
        return Err(refusal::of_text(text));
    }
    document.repaired = true;
    document.truncated |= repaired.truncated;
    document.warnings.splice(0..0, repaired.warnings);
    Ok(document)
}

fn warn(document: &mut FeedDocument, code: WarningCode, detail: String) {
    document.warnings.push(Warning { code, detail, item: None });
}

#[cfg(test)]
mod tests;
