//! Which files and pictures come with an item: each URL once, and no known value lost.

use headwater_domain::feed::Enclosure;
use headwater_domain::secret::PrivateUrl;

use super::urls::Base;
use super::{Context, mime};
use crate::tree::Element;

/// The files of an item, gathered from every element that names one.
#[derive(Debug, Default)]
pub(super) struct Files(Vec<Enclosure>);

impl Files {
    /// Adds a file; what is stated of one that is known already only fills gaps.
    pub(super) fn add(&mut self, url: PrivateUrl, mime: Option<&str>, length: Option<&str>) {
        let mime = mime.map(str::trim).filter(|mime| !mime.is_empty()).map(str::to_owned);
        let length = length.and_then(size);
        if let Some(known) = self.0.iter_mut().find(|known| known.url == url) {
            known.mime = known.mime.take().or(mime);
            known.length = known.length.or(length);
        } else if self.0.len() < MAX_FILES {
            self.0.push(Enclosure { url, mime, length });
        }
    }

    /// The files, with the types that their names give away.
    pub(super) fn into_enclosures(mut self) -> Vec<Enclosure> {
        for file in self.0.iter_mut().filter(|file| file.mime.is_none()) {
            file.mime = mime::guess(file.url.expose()).map(str::to_owned);
        }
        self.0
    }
}

/// What the media elements of an item name.
#[derive(Debug, Default)]
pub(super) struct Media {
    pub(super) files: Files,
    pub(super) thumbnail: Option<PrivateUrl>,
}

impl Media {
    /// `<enclosure url length type>`.
    pub(super) fn add_enclosure<'a, E: Element<'a>>(&mut self, element: E, base: &Base<'_>, context: &Context<'_>) {
        let target = element.attribute("url").or_else(|| element.attribute("href"));
        let text = super::text::word(element, context).filter(|_| element.elements().next().is_none());
        let target = target.map(str::to_owned).or_else(|| text.map(std::borrow::Cow::into_owned));
        if let Some(url) = target.and_then(|target| base.within(element).resolve(&target, context)) {
            self.files.add(url, element.attribute("type"), element.attribute("length"));
        }
    }

    /// `<media:content url type fileSize>`.
    pub(super) fn add_content<'a, E: Element<'a>>(&mut self, element: E, base: &Base<'_>, context: &Context<'_>) {
        let url = element.attribute("url").and_then(|url| base.within(element).resolve(url, context));
        if let Some(url) = url {
            self.files.add(url, element.attribute("type"), element.attribute("fileSize"));
        }
    }

    /// `<media:thumbnail url>`.
    pub(super) fn add_thumbnail<'a, E: Element<'a>>(&mut self, element: E, base: &Base<'_>, context: &Context<'_>) {
        if self.thumbnail.is_some() {
            return;
        }
        let target = element.attribute("url").or_else(|| element.attribute("href")).map(std::borrow::Cow::Borrowed);
        let target = target.or_else(|| super::text::word(element, context));
        self.thumbnail = target.and_then(|url| base.within(element).resolve(&url, context));
    }
}

/// A size in bytes: ASCII digits alone.
fn size(text: &str) -> Option<u64> {
    let text = text.trim();
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if digits { text.parse().ok() } else { None }
}

/// An item with more files than this keeps the first.
const MAX_FILES: usize = 500;
