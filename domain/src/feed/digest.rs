//! What an item's digest is: the same for the same words, whatever secrets stand in them.

use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{Content, FeedItem};
use crate::secret::{PrivateUrl, redacted_pieces};

/// The digest of what the publisher wrote, as 64 hexadecimal digits.
///
/// SHA-256 over the redacted title, link, enclosures with their sizes, dates, nickname, authors, categories and bodies,
/// each with its length behind it, so that no two items run into each other. A rotated passkey changes nothing, and
/// neither does a title that was only derived.
pub fn raw_digest(item: &FeedItem) -> String {
    let mut fields = Fields(Sha256::new());
    fields.text(item.title.as_deref().filter(|_| !item.title_derived));
    fields.url(item.link.as_ref());
    fields.count(item.enclosures.len());
    for enclosure in &item.enclosures {
        fields.url(Some(&enclosure.url));
        fields.number(enclosure.length.map(u64::cast_signed));
    }
    fields.time(item.published_at);
    fields.time(item.updated_at);
    fields.text(item.nickname.as_deref());
    fields.list(&item.authors);
    fields.list(&item.categories);
    fields.content(item.description.as_ref());
    fields.content(item.content.as_ref());
    hexadecimal(&fields.0.finalize())
}

/// Fields on their way into the hash.
struct Fields(Sha256);

impl Fields {
    /// A text and, behind it, its length: both without its secrets.
    fn text(&mut self, text: Option<&str>) {
        let Some(text) = text else { return self.number(None) };
        let mut length = 0_i64;
        redacted_pieces(text, |piece| {
            self.0.update(piece.as_bytes());
            length = length.saturating_add_unsigned(piece.len() as u64);
        });
        self.number(Some(length));
    }

    fn url(&mut self, url: Option<&PrivateUrl>) {
        let Some(url) = url else { return self.number(None) };
        let redacted = url.redacted_str();
        self.0.update(redacted.as_bytes());
        self.number(Some(i64::try_from(redacted.len()).unwrap_or(i64::MAX)));
    }

    fn time(&mut self, time: Option<Timestamp>) {
        self.number(time.map(Timestamp::as_second));
    }

    fn content(&mut self, content: Option<&Content>) {
        self.text(content.map(|content| content.raw.as_str()));
    }

    fn list(&mut self, list: &[String]) {
        self.count(list.len());
        list.iter().for_each(|text| self.text(Some(text)));
    }

    fn count(&mut self, count: usize) {
        self.0.update((count as u64).to_be_bytes());
    }

    /// A number, told apart from none.
    fn number(&mut self, number: Option<i64>) {
        self.0.update([u8::from(number.is_some())]);
        self.0.update(number.unwrap_or(0).to_be_bytes());
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]).map(|digit| char::from(DIGITS[usize::from(digit)])).collect()
}

#[cfg(test)]
mod tests;
