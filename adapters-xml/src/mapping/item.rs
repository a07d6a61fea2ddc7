//! Which element of an item says what: everything gathered, nothing decided yet.

use std::borrow::Cow;

use headwater_domain::feed::date::{FeedDate, parse_date};
use headwater_domain::feed::{Content, ItemExtras, WarningCode};
use headwater_domain::secret::PrivateUrl;
use headwater_domain::text::plain_text;

use super::authors::Authors;
use super::extras::Gathered;
use super::links::Link;
use super::media::Media;
use super::urls::{Base, is_relative_path, is_web_text};
use super::{Context, body, text};
use crate::names;
use crate::space::Space;
use crate::tree::Element;

/// What an item's elements say, before precedence.
#[derive(Debug, Default)]
pub(super) struct Draft<'a> {
    pub(super) title: Option<String>,
    /// A title of another vocabulary, for want of the item's own.
    pub(super) other_title: Option<String>,
    pub(super) guid: Option<Cow<'a, str>>,
    pub(super) guid_is_permalink: Option<bool>,
    pub(super) about: Option<&'a str>,
    pub(super) links: Vec<Link<'a>>,
    pub(super) original_link: Option<PrivateUrl>,
    pub(super) published: Option<FeedDate>,
    /// A date of publication of another vocabulary.
    pub(super) other_published: Option<FeedDate>,
    pub(super) updated: Option<FeedDate>,
    pub(super) authors: Authors,
    pub(super) nickname: Option<String>,
    pub(super) categories: Vec<String>,
    /// The terms of categories that have one: the same term under two labels is one category.
    terms: Vec<&'a str>,
    pub(super) description: Option<Content>,
    /// A summary of another vocabulary.
    pub(super) other_description: Option<Content>,
    pub(super) content: Option<Content>,
    pub(super) media: Media,
    pub(super) image: Option<PrivateUrl>,
    pub(super) comments: Option<PrivateUrl>,
    pub(super) language: Option<String>,
    pub(super) extras: Gathered<ItemExtras>,
}

impl<'a> Draft<'a> {
    /// Reads all children of an item.
    pub(super) fn read<E: Element<'a>>(item: E, base: &Base<'_>, context: &Context<'_>) -> Self {
        let mut draft = Self { about: item.attribute_of(Space::Rdf, "about"), ..Self::default() };
        for element in item.elements() {
            let mut buffer = [0; names::LONGEST];
            let name = names::folded(element.name(), &mut buffer);
            match element.space() {
                Space::Core | Space::Atom => draft.read_own(name, element, base, context),
                Space::Dc | Space::DcTerms => draft.read_dublin_core(name, element, base, context),
                Space::Content if name == "encoded" => draft.take_content(element, base, context),
                Space::Media => draft.read_media(name, element, base, context),
                Space::Itunes | Space::GooglePlay => draft.read_podcast(name, element, base, context),
                Space::FeedBurner if name == "origlink" => {
                    let link = text::word(element, context).and_then(|link| base.resolve(&link, context));
                    draft.original_link = draft.original_link.take().or(link);
                }
                Space::Xhtml if matches!(name, "body" | "div") => draft.take_content(element, base, context),
                _ => draft.extras.read(name, element, base, context),
            }
        }
        draft
    }

    /// The elements of RSS and Atom themselves.
    fn read_own<E: Element<'a>>(&mut self, name: &str, element: E, base: &Base<'_>, context: &Context<'_>) {
        match name {
            "title" if element.space() == Space::Core || context.is_atom() => {
                replace(&mut self.title, text::title(element, context));
            }
            "title" => fill(&mut self.other_title, || text::title(element, context)),
            "link" => {
                self.links.extend(Link::read(element, base, context));
                let count = || element.attribute_of(Space::Thread, "count")?.trim().parse().ok();
                fill(&mut self.extras.extras.comment_count, count);
            }
            "url" => self.take_url(element, base, context),
            "guid" => self.take_guid(element, context),
            "id" => self.take_id(element, context),
            "pubdate" | "published" | "issued" => replace(&mut self.published, date(element, context)),
            "updated" | "modified" => replace(&mut self.updated, date(element, context)),
            "created" | "date" => fill(&mut self.other_published, || date(element, context)),
            "author" => self.authors.add_person(element, context),
            "category" => self.take_category(element, context),
            "enclosure" => {
                self.media.add_enclosure(element, base, context);
                self.read_media_within(element, base, context);
            }
            "comments" => self.take_comments(element, base, context),
            "description" | "summary" => fill(&mut self.description, || body::of(element, base, context)),
            "content" => self.take_content(element, base, context),
            "body" | "fulltext" => self.take_content(element, base, context),
            "image" => self.take_image(element, base, context),
            "language" => fill(&mut self.language, || text::word(element, context).map(Cow::into_owned)),
            _ => {}
        }
    }

    fn read_dublin_core<E: Element<'a>>(&mut self, name: &str, element: E, base: &Base<'_>, context: &Context<'_>) {
        match name {
            "title" => fill(&mut self.other_title, || text::title(element, context)),
            "creator" => {
                self.authors.add_person(element, context);
                let nickname = || text::word(element, context).map(|text| super::authors::name_of(&text));
                fill(&mut self.nickname, || nickname().filter(|name| !name.is_empty()));
            }
            "author" => self.authors.add_person(element, context),
            "date" | "issued" | "created" => fill(&mut self.other_published, || date(element, context)),
            "modified" if element.space() == Space::DcTerms => fill(&mut self.updated, || date(element, context)),
            "subject" => self.take_category(element, context),
            "description" | "abstract" => fill(&mut self.other_description, || body::of(element, base, context)),
            "language" => fill(&mut self.language, || text::word(element, context).map(Cow::into_owned)),
            _ => {}
        }
    }

    fn read_media<E: Element<'a>>(&mut self, name: &str, element: E, base: &Base<'_>, context: &Context<'_>) {
        match name {
            "content" => {
                self.media.add_content(element, base, context);
                self.read_media_within(element, base, context);
            }
            "group" => self.read_media_within(element, base, context),
            "thumbnail" => self.media.add_thumbnail(element, base, context),
            "title" => fill(&mut self.other_title, || text::title(element, context)),
            "description" => fill(&mut self.other_description, || body::of(element, base, context)),
            _ => {}
        }
    }

    /// Media elements may stand in a group, in a content, in an enclosure; a content stands in a group.
    fn read_media_within<E: Element<'a>>(&mut self, outer: E, base: &Base<'_>, context: &Context<'_>) {
        for element in outer.elements().filter(|element| element.space() == Space::Media) {
            let mut buffer = [0; names::LONGEST];
            let name = names::folded(element.name(), &mut buffer);
            if name != "group" {
                self.read_media(name, element, base, context);
            }
        }
    }

    fn read_podcast<E: Element<'a>>(&mut self, name: &str, element: E, base: &Base<'_>, context: &Context<'_>) {
        match name {
            "title" => fill(&mut self.other_title, || text::title(element, context)),
            "author" => self.authors.add_text(element, context),
            "keywords" => self.take_keywords(element, context),
            "summary" | "description" => fill(&mut self.other_description, || body::of(element, base, context)),
            "image" => self.take_image(element, base, context),
            _ => self.extras.read(name, element, base, context),
        }
    }

    fn take_url<E: Element<'a>>(&mut self, element: E, base: &Base<'_>, context: &Context<'_>) {
        if self.links.is_empty() {
            self.links.extend(Link::read(element, base, context));
        }
    }

    fn take_guid<E: Element<'a>>(&mut self, element: E, context: &Context<'_>) {
        let Some(guid) = text::word(element, context) else { return };
        let stated = element.attribute("isPermaLink").map(str::trim);
        let (web, relative) = (is_web_text(&guid), is_relative_path(&guid));
        self.guid_is_permalink = Some(match stated {
            Some(stated) if stated.eq_ignore_ascii_case("true") => web || relative,
            Some(stated) => web && !stated.eq_ignore_ascii_case("false"),
            None => web,
        });
        self.guid = Some(guid);
    }

    fn take_id<E: Element<'a>>(&mut self, element: E, context: &Context<'_>) {
        if let Some(id) = text::word(element, context) {
            self.guid = Some(id);
        }
    }

    fn take_category<E: Element<'a>>(&mut self, element: E, context: &Context<'_>) {
        let stated = |name: &str| element.attribute(name).map(str::trim).filter(|value| !value.is_empty());
        let term = stated("term");
        if term.is_some_and(|term| self.terms.contains(&term)) {
            return;
        }
        self.terms.extend(term.filter(|_| self.terms.len() < MAX_CATEGORIES));
        match stated("label").or(term) {
            Some(named) => self.add_category(plain_text(named)),
            None => self.add_category(text::title(element, context).unwrap_or_default()),
        }
    }

    /// `<itunes:keywords>`: words with commas between them.
    fn take_keywords<E: Element<'a>>(&mut self, element: E, context: &Context<'_>) {
        let keywords = text::title(element, context).unwrap_or_default();
        keywords.split(',').for_each(|keyword| self.add_category(keyword.trim().to_owned()));
    }

    fn add_category(&mut self, category: String) {
        let wanted = !category.is_empty() && self.categories.len() < MAX_CATEGORIES;
        if wanted && !self.categories.contains(&category) {
            self.categories.push(category);
        }
    }

    fn take_comments<E: Element<'a>>(&mut self, element: E, base: &Base<'_>, context: &Context<'_>) {
        let comments = || text::word(element, context).and_then(|link| base.within(element).resolve(&link, context));
        fill(&mut self.comments, comments);
    }

    fn take_content<E: Element<'a>>(&mut self, element: E, base: &Base<'_>, context: &Context<'_>) {
        fill(&mut self.content, || body::of(element, base, context));
    }

    /// `<itunes:image href>`, `<image><url>`, or an image's URL as text.
    fn take_image<E: Element<'a>>(&mut self, element: E, base: &Base<'_>, context: &Context<'_>) {
        if self.image.is_none() {
            self.image = image_of(element, base, context);
        }
    }
}

/// The URL of a picture element in any of its forms.
pub(super) fn image_of<'a, E: Element<'a>>(element: E, base: &Base<'_>, context: &Context<'_>) -> Option<PrivateUrl> {
    let stated = element.attribute("href").or_else(|| element.attribute("url")).map(Cow::Borrowed);
    let inner = || {
        let mut urls = element.elements().filter(|child| child.name().eq_ignore_ascii_case("url"));
        urls.find_map(|child| text::word(child, context))
    };
    let bare = || text::word(element, context).filter(|_| element.elements().next().is_none());
    let resource = || element.attribute_of(Space::Rdf, "resource").map(Cow::Borrowed);
    let target = stated.or_else(inner).or_else(resource).or_else(bare)?;
    base.within(element).resolve(&target, context)
}

/// The date that an element states.
pub(super) fn date<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<FeedDate> {
    let text = text::word(element, context)?;
    let date = parse_date(&text);
    if date.is_none() {
        let shown = headwater_domain::text::excerpt(&text, MAX_SHOWN);
        let shown = headwater_domain::secret::redact_text(&shown);
        context.warn(WarningCode::BadDate, format!("could not read the date {shown:?}"));
    }
    date
}

/// A value of the item's own vocabulary that stands there twice counts as it stands last.
fn replace<T>(place: &mut Option<T>, value: Option<T>) {
    if value.is_some() {
        *place = value;
    }
}

/// The first that is there counts.
pub(super) fn fill<T>(place: &mut Option<T>, value: impl FnOnce() -> Option<T>) {
    if place.is_none() {
        *place = value();
    }
}

/// An item with more categories than this keeps the first.
const MAX_CATEGORIES: usize = 500;

/// So much of a strange date is shown.
const MAX_SHOWN: usize = 60;
