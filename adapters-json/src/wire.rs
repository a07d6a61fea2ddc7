//! What stands in a JSON Feed, member by member, before it is given a meaning.

use std::borrow::Cow;

use headwater_domain::feed::FeedFormat;

use crate::raw::{Broken, Parts, Raw};

/// A text member.
pub(crate) type Text<'a> = Option<Cow<'a, str>>;

/// The document without its items.
#[derive(Debug, Default)]
pub(crate) struct Head<'a> {
    pub(crate) version: Text<'a>,
    pub(crate) title: Text<'a>,
    pub(crate) home_page_url: Text<'a>,
    pub(crate) feed_url: Text<'a>,
    pub(crate) description: Text<'a>,
    pub(crate) icon: Text<'a>,
    pub(crate) favicon: Text<'a>,
    pub(crate) next_url: Text<'a>,
    pub(crate) language: Text<'a>,
    pub(crate) expired: bool,
    pub(crate) hubs: Vec<Hub<'a>>,
    /// Where the items begin.
    pub(crate) items: Option<Raw<'a>>,
    /// Why the document could not be read to its end.
    pub(crate) broken: Option<Broken>,
    /// What stands behind the document.
    pub(crate) tail: &'a str,
}

/// A place that tells of changes.
#[derive(Debug, Default)]
pub(crate) struct Hub<'a> {
    pub(crate) kind: Text<'a>,
    pub(crate) url: Text<'a>,
}

/// An item.
#[derive(Debug, Default)]
pub(crate) struct WireItem<'a> {
    pub(crate) id: Text<'a>,
    pub(crate) url: Text<'a>,
    pub(crate) external_url: Text<'a>,
    pub(crate) title: Text<'a>,
    pub(crate) content_html: Text<'a>,
    pub(crate) content_text: Text<'a>,
    pub(crate) summary: Text<'a>,
    pub(crate) image: Text<'a>,
    pub(crate) banner_image: Text<'a>,
    pub(crate) date_published: Text<'a>,
    pub(crate) date_modified: Text<'a>,
    pub(crate) authors: Vec<Author<'a>>,
    pub(crate) tags: Vec<Cow<'a, str>>,
    pub(crate) language: Text<'a>,
    pub(crate) attachments: Vec<Attachment<'a>>,
}

/// Somebody who wrote an item.
#[derive(Debug, Default)]
pub(crate) struct Author<'a> {
    pub(crate) name: Text<'a>,
    pub(crate) url: Text<'a>,
}

/// A file that belongs to an item.
#[derive(Debug, Default)]
pub(crate) struct Attachment<'a> {
    pub(crate) url: Text<'a>,
    pub(crate) mime_type: Text<'a>,
    pub(crate) size_in_bytes: Option<u64>,
}

impl<'a> Head<'a> {
    /// Reads what can be read.
    ///
    /// # Errors
    /// Only if values nest too deep; any other fault is kept in `broken`.
    pub(crate) fn read(text: &'a str) -> Result<Self, Broken> {
        let mut head = Self::default();
        let Some(mut members) = Raw::at_start(text).members() else {
            head.broken = Some(Broken::Misplaced);
            return Ok(head);
        };
        match head.read_members(&mut members) {
            Ok(()) => head.tail = members.tail(),
            Err(Broken::TooDeep) => return Err(Broken::TooDeep),
            Err(broken) => head.broken = Some(broken),
        }
        Ok(head)
    }

    fn read_members(&mut self, members: &mut Parts<'a>) -> Result<(), Broken> {
        while let Some(key) = members.next_key()? {
            if key == "items" && self.items.is_none() {
                // Remembered before its end is known, since the document may be cut off in it.
                self.items = Some(members.here()).filter(|items| items.elements().is_some());
            }
            let value = members.value()?;
            match &*key {
                "version" => self.version = value.text(),
                "title" => self.title = value.text(),
                "home_page_url" => self.home_page_url = value.text(),
                "feed_url" => self.feed_url = value.text(),
                "description" => self.description = value.text(),
                "icon" => self.icon = value.text(),
                "favicon" => self.favicon = value.text(),
                "next_url" => self.next_url = value.text(),
                "language" => self.language = value.text(),
                "expired" => self.expired = value.is_true(),
                "hubs" => self.hubs = each(value, Hub::read),
                _ => {}
            }
        }
        Ok(())
    }

    /// The format that the version names; a bare number will do where there are items.
    pub(crate) fn format(&self) -> Option<FeedFormat> {
        let version = self.version.as_deref()?.trim();
        let number = match version.split_once("jsonfeed.org/version/") {
            Some((_, number)) => number.trim_end_matches('/'),
            None if self.items.is_some() => Some(version).filter(|number| ["1", "1.0", "1.1"].contains(number))?,
            None => return None,
        };
        Some(if matches!(number, "1" | "1.0") { FeedFormat::Json10 } else { FeedFormat::Json11 })
    }
}

impl<'a> WireItem<'a> {
    /// Reads an item.
    ///
    /// # Errors
    /// What is wrong, for people, if the element is no object or its members cannot be told apart.
    pub(crate) fn read(element: Raw<'a>) -> Result<Self, &'static str> {
        let mut members = element.members().ok_or("the item is no object")?;
        let mut item = Self::default();
        while let Some((key, value)) = members.next_member().map_err(|_| "the item's JSON is broken")? {
            match &*key {
                "id" => item.id = value.text(),
                "url" => item.url = value.text(),
                "external_url" => item.external_url = value.text(),
                "title" => item.title = value.text(),
                "content_html" => item.content_html = value.text(),
                "content_text" => item.content_text = value.text(),
                "summary" => item.summary = value.text(),
                "image" => item.image = value.text(),
                "banner_image" => item.banner_image = value.text(),
                "date_published" => item.date_published = value.text(),
                "date_modified" => item.date_modified = value.text(),
                "author" | "authors" => item.authors.extend(each(value, Author::read)),
                "tags" => item.tags = each(value, |tag| tag.text()),
                "language" => item.language = value.text(),
                "attachments" => item.attachments = each(value, Attachment::read),
                _ => {}
            }
        }
        Ok(item)
    }
}

impl<'a> Hub<'a> {
    fn read(value: Raw<'a>) -> Option<Self> {
        let mut hub = Self::default();
        for_members(value, |key, value| match key {
            "type" => hub.kind = value.text(),
            "url" => hub.url = value.text(),
            _ => {}
        })?;
        Some(hub)
    }
}

impl<'a> Author<'a> {
    /// An author is an object; a bare name is understood too.
    fn read(value: Raw<'a>) -> Option<Self> {
        if let Some(name) = value.text() {
            return Some(Self { name: Some(name), url: None });
        }
        let mut author = Self::default();
        for_members(value, |key, value| match key {
            "name" => author.name = value.text(),
            "url" => author.url = value.text(),
            _ => {}
        })?;
        Some(author)
    }
}

impl<'a> Attachment<'a> {
    fn read(value: Raw<'a>) -> Option<Self> {
        let mut attachment = Self::default();
        for_members(value, |key, value| match key {
            "url" => attachment.url = value.text(),
            "mime_type" => attachment.mime_type = value.text(),
            "size_in_bytes" => attachment.size_in_bytes = value.size(),
            _ => {}
        })?;
        Some(attachment)
    }
}

/// The elements of an array, or the one value that stands in its place.
fn each<'a, T>(value: Raw<'a>, read: impl Fn(Raw<'a>) -> Option<T>) -> Vec<T> {
    let Some(mut elements) = value.elements() else { return read(value).into_iter().collect() };
    let mut list = Vec::new();
    while let Ok(Some(element)) = elements.next_element() {
        if list.len() == MAX_LIST {
            break;
        }
        list.extend(read(element));
    }
    list
}

/// Calls `take` for the members that can be read; `None` if the value is no object.
fn for_members<'a>(value: Raw<'a>, mut take: impl FnMut(&str, Raw<'a>)) -> Option<()> {
    let mut members = value.members()?;
    while let Ok(Some((key, value))) = members.next_member() {
        take(&key, value);
    }
    Some(())
}

/// Authors, tags or attachments of one item that are read.
const MAX_LIST: usize = 1000;
