//! How a parsed feed looks as JSON (the contract, section 1).

mod extras;

use std::borrow::Cow;

use headwater_domain::feed::{Content, Enclosure, FeedDocument, FeedItem, Warning, Weekday};
use headwater_domain::secret::{PrivateUrl, redact_content};
use headwater_ports::Sanitiser;
use jiff::Timestamp;
use serde::ser::{SerializeSeq, SerializeStruct};
use serde::{Serialize, Serializer};

/// A feed, to be serialised: bodies are sanitised while it is written, one item at a time, since that costs more time
/// and memory than all the rest.
pub(crate) fn document_json<'a>(
    document: &'a FeedDocument,
    sanitiser: &'a dyn Sanitiser,
    fetched_at: Timestamp,
) -> DocumentJson<'a> {
    DocumentJson { document, sanitiser, fetched_at }
}

/// See [`document_json`].
#[derive(Clone, Copy)]
pub(crate) struct DocumentJson<'a> {
    document: &'a FeedDocument,
    sanitiser: &'a dyn Sanitiser,
    fetched_at: Timestamp,
}

impl Serialize for DocumentJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let document = self.document;
        let mut fields = Fields(serializer.serialize_struct("document", 31)?);
        fields.always("format", document.format.as_str())?;
        fields.text("title", document.title.as_deref())?;
        fields.url("link", document.link.as_ref())?;
        fields.url("self_url", document.self_url.as_ref())?;
        fields.url("hub_url", document.hub_url.as_ref())?;
        fields.url("next_url", document.next_url.as_ref())?;
        fields.url("prev_archive_url", document.prev_archive_url.as_ref())?;
        fields.text("language", document.language.as_deref())?;
        fields.text("description", document.description.as_deref())?;
        fields.url("image_url", document.image_url.as_ref())?;
        fields.some("updated_at", document.updated_at.as_ref())?;
        fields.some("ttl_minutes", document.ttl_minutes.as_ref())?;
        fields.some("update_period_minutes", document.update_period_minutes.as_ref())?;
        fields.list("skip_hours", &document.skip_hours)?;
        fields.list("skip_days", &document.skip_days.iter().map(|day| Weekday::as_str(*day)).collect::<Vec<_>>())?;
        if document.complete {
            fields.always("complete", &true)?;
        }
        if let Some(extras) = &document.extras {
            extras::feed_fields(extras, &mut fields)?;
        }
        fields.text("encoding", Some(&document.encoding))?;
        fields.always("repaired", &document.repaired)?;
        fields.always("truncated", &document.truncated)?;
        fields.always("warnings", &document.warnings.iter().map(WarningJson::of).collect::<Vec<_>>())?;
        fields.always("items", &Items(*self))?;
        fields.0.end()
    }
}

/// The items of a document.
struct Items<'a>(DocumentJson<'a>);

impl Serialize for Items<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut items = serializer.serialize_seq(Some(self.0.document.items.len()))?;
        for item in &self.0.document.items {
            items.serialize_element(&ItemJson { item, of: self.0 })?;
        }
        items.end()
    }
}

/// An item.
struct ItemJson<'a> {
    item: &'a FeedItem,
    of: DocumentJson<'a>,
}

impl ItemJson<'_> {
    /// A body as it may be shown; none if nothing is left of it.
    fn body(&self, content: Option<&Content>) -> Option<String> {
        let html = self.of.sanitiser.sanitise(content?);
        let shown = match redact_content(&html) {
            Cow::Borrowed(_) => None,
            Cow::Owned(redacted) => Some(redacted),
        };
        Some(shown.unwrap_or(html))
    }
}

impl Serialize for ItemJson<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let item = self.item;
        let first = item.enclosures.first();
        let mut fields = Fields(serializer.serialize_struct("item", 37)?);
        fields.text("guid", item.guid.as_deref())?;
        fields.some("guid_is_permalink", item.guid_is_permalink.as_ref())?;
        fields.text("title", item.title.as_deref())?;
        fields.always("title_derived", &item.title_derived)?;
        fields.url("link", item.link.as_ref())?;
        fields.some("link_from", item.link_from.map(|from| from.as_str()).as_ref())?;
        fields.some("published_at", item.published_at.as_ref())?;
        fields.some("updated_at", item.updated_at.as_ref())?;
        fields.some("date_zone", item.date_zone.map(|zone| zone.as_str()).as_ref())?;
        fields.text("nickname", item.nickname.as_deref())?;
        fields.texts("authors", &item.authors)?;
        fields.texts("categories", &item.categories)?;
        fields.text("description", self.body(item.description.as_ref()).as_deref())?;
        fields.text("content_html", self.body(item.content.as_ref()).as_deref())?;
        fields.url("enclosure_url", first.map(|enclosure| &enclosure.url))?;
        if let Some(first) = first {
            fields.always("enclosure_has_secret", &first.url.has_secret())?;
        }
        fields.some("size", first.and_then(|enclosure| enclosure.length).as_ref())?;
        fields.list("enclosures", &item.enclosures.iter().map(EnclosureJson::of).collect::<Vec<_>>())?;
        fields.url("image_url", item.image_url.as_ref())?;
        fields.url("comments_url", item.comments_url.as_ref())?;
        fields.text("language", item.language.as_deref())?;
        if let Some(extras) = &item.extras {
            extras::item_fields(extras, &mut fields)?;
        }
        fields.text("raw_digest", Some(&item.raw_digest))?;
        fields.always("fetched_at", &self.of.fetched_at)?;
        fields.0.end()
    }
}

#[derive(Serialize)]
struct EnclosureJson<'a> {
    url: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u64>,
}

impl<'a> EnclosureJson<'a> {
    fn of(enclosure: &'a Enclosure) -> Self {
        let mime = enclosure.mime.as_deref().filter(|mime| !mime.is_empty());
        Self { url: enclosure.url.redacted_str(), mime, length: enclosure.length }
    }
}

#[derive(Serialize)]
struct WarningJson<'a> {
    code: headwater_domain::feed::WarningCode,
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    item: Option<usize>,
}

impl<'a> WarningJson<'a> {
    fn of(warning: &'a Warning) -> Self {
        Self {
            code: warning.code,
            detail: Some(&*warning.detail).filter(|detail| !detail.is_empty()),
            item: warning.item,
        }
    }
}

/// The fields of an object: one without a value is left out, and no empty text is written.
struct Fields<S>(S);

impl<S: SerializeStruct> Fields<S> {
    fn always<T: Serialize + ?Sized>(&mut self, name: &'static str, value: &T) -> Result<(), S::Error> {
        self.0.serialize_field(name, value)
    }

    fn some<T: Serialize>(&mut self, name: &'static str, value: Option<&T>) -> Result<(), S::Error> {
        match value {
            Some(value) => self.0.serialize_field(name, value),
            None => self.0.skip_field(name),
        }
    }

    fn text(&mut self, name: &'static str, text: Option<&str>) -> Result<(), S::Error> {
        self.some(name, text.filter(|text| !text.is_empty()).map(redact_content).as_ref())
    }

    fn url(&mut self, name: &'static str, url: Option<&PrivateUrl>) -> Result<(), S::Error> {
        self.some(name, url.map(PrivateUrl::redacted_str).as_ref())
    }

    fn list<T: Serialize>(&mut self, name: &'static str, list: &[T]) -> Result<(), S::Error> {
        self.some(name, Some(list).filter(|list| !list.is_empty()).as_ref())
    }

    fn texts(&mut self, name: &'static str, texts: &[String]) -> Result<(), S::Error> {
        let texts: Vec<_> = texts.iter().filter(|text| !text.is_empty()).map(|text| redact_content(text)).collect();
        self.list(name, &texts)
    }
}

#[cfg(test)]
mod tests;
