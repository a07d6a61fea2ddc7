//! What items and feeds say of podcasts, places, conversations and licences.

use std::borrow::Cow;

use headwater_domain::feed::Place;
use headwater_domain::feed::extras::{Document, FeedExtras, Funding, ItemExtras, Licence, Person, ReplyTo};
use headwater_domain::secret::PrivateUrl;

use super::item::fill;
use super::text::{redacted, title, word};
use super::urls::Base;
use super::{Context, finish};
use crate::space::Space;
use crate::tree::Element;

/// The extras of an item or a feed on their way.
#[derive(Debug, Default)]
pub(super) struct Gathered<T> {
    pub(super) extras: T,
    /// `geo:lat` and `geo:long` come apart.
    latitude: Option<f64>,
    longitude: Option<f64>,
}

impl Gathered<ItemExtras> {
    /// Reads an element of an item, if it is one of these.
    pub(super) fn read<'a, E: Element<'a>>(&mut self, name: &str, element: E, base: &Base<'_>, context: &Context<'_>) {
        let extras = &mut self.extras;
        match (element.space(), name) {
            (Space::Podcast, "transcript") if extras.transcripts.len() < MAX_LISTED => {
                extras.transcripts.extend(document(element, base, context));
            }
            (Space::Podcast, "chapters") => fill(&mut extras.chapters, || document(element, base, context)),
            (Space::Podcast, "person") => add_person(&mut extras.people, element, base, context),
            (Space::Podcast | Space::Itunes, "season") => fill(&mut extras.season, || number(element, context)),
            (Space::Podcast | Space::Itunes, "episode") => fill(&mut extras.episode, || number(element, context)),
            (Space::Itunes | Space::GooglePlay, "explicit") => {
                fill(&mut extras.explicit, || explicit(element, context))
            }
            (Space::Itunes, "duration") => {
                fill(&mut extras.duration_seconds, || seconds(&word(element, context)?));
            }
            (Space::Slash, "comments") | (Space::Thread, "total") => {
                fill(&mut extras.comment_count, || number(element, context));
            }
            (Space::Thread, "in-reply-to") => fill(&mut extras.in_reply_to, || reply_to(element, base, context)),
            (Space::Podcast | Space::CreativeCommons, "license" | "licence") => {
                fill(&mut extras.licence, || licence(element, base, context));
            }
            _ => self.read_place(name, element, context),
        }
    }

    /// The extras, if there are any.
    pub(super) fn finish(mut self) -> Option<Box<ItemExtras>> {
        let apart = self.place();
        fill(&mut self.extras.place, || apart);
        self.extras.boxed()
    }
}

impl Gathered<FeedExtras> {
    /// Reads an element of a channel, if it is one of these.
    pub(super) fn read<'a, E: Element<'a>>(&mut self, name: &str, element: E, base: &Base<'_>, context: &Context<'_>) {
        let extras = &mut self.extras;
        match (element.space(), name) {
            (Space::Podcast, "guid") => {
                fill(&mut extras.podcast_guid, || word(element, context).map(|guid| redacted(guid.into_owned())))
            }
            (Space::Podcast, "locked") => fill(&mut extras.locked, || explicit(element, context)),
            (Space::Podcast, "funding") if extras.funding.len() < MAX_LISTED => {
                extras.funding.extend(funding(element, base, context));
            }
            (Space::Podcast, "person") => add_person(&mut extras.people, element, base, context),
            (Space::Itunes | Space::GooglePlay, "explicit") => {
                fill(&mut extras.explicit, || explicit(element, context))
            }
            (Space::Podcast | Space::CreativeCommons, "license" | "licence") => {
                fill(&mut extras.licence, || licence(element, base, context));
            }
            _ => self.read_place(name, element, context),
        }
    }

    /// The extras, if there are any.
    pub(super) fn finish(mut self) -> Option<Box<FeedExtras>> {
        let apart = self.place();
        fill(&mut self.extras.place, || apart);
        self.extras.boxed()
    }
}

/// Where a place goes.
pub(super) trait Placed {
    fn place_mut(&mut self) -> &mut Option<Place>;
}

impl Placed for ItemExtras {
    fn place_mut(&mut self) -> &mut Option<Place> {
        &mut self.place
    }
}

impl Placed for FeedExtras {
    fn place_mut(&mut self) -> &mut Option<Place> {
        &mut self.place
    }
}

impl<T: Placed> Gathered<T> {
    fn read_place<'a, E: Element<'a>>(&mut self, name: &str, element: E, context: &Context<'_>) {
        let degrees = || word(element, context)?.parse().ok();
        let place = self.extras.place_mut();
        match (element.space(), name) {
            (Space::GeoRss, "point") => fill(place, || Place::parse(&word(element, context)?)),
            (Space::GeoRss, "where") => fill(place, || position(element, context)),
            (Space::Podcast, "location") => {
                fill(place, || Place::parse(element.attribute("geo")?.strip_prefix("geo:")?))
            }
            (Space::Geo, "point") => fill(place, || {
                let within = |wanted: &str| {
                    let mut parts = element.elements().filter(|part| part.name().eq_ignore_ascii_case(wanted));
                    word(parts.next()?, context)?.parse().ok()
                };
                Place::new(within("lat")?, within("long")?)
            }),
            (Space::Geo, "lat") => fill(&mut self.latitude, degrees),
            (Space::Geo, "long") => fill(&mut self.longitude, degrees),
            _ => {}
        }
    }

    fn place(&self) -> Option<Place> {
        Place::new(self.latitude?, self.longitude?)
    }
}

/// `<gml:Point><gml:pos>`.
fn position<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<Place> {
    let mut positions = element.elements().flat_map(E::elements).filter(|part| part.name().eq_ignore_ascii_case("pos"));
    Place::parse(&word(positions.next()?, context)?)
}

fn document<'a, E: Element<'a>>(element: E, base: &Base<'_>, context: &Context<'_>) -> Option<Document> {
    let stated =
        |name: &str| element.attribute(name).map(str::trim).filter(|value| !value.is_empty()).map(str::to_owned);
    let url = base.within(element).resolve(element.attribute("url")?, context)?;
    Some(Document { url, mime: stated("type"), language: stated("language") })
}

fn add_person<'a, E: Element<'a>>(people: &mut Vec<Person>, element: E, base: &Base<'_>, context: &Context<'_>) {
    let Some(name) = title(element, context).filter(|_| people.len() < MAX_LISTED) else { return };
    let role = element.attribute("role").map(|role| role.trim().to_lowercase()).filter(|role| !role.is_empty());
    let url = |name: &str| element.attribute(name).and_then(|url| base.within(element).resolve(url, context));
    people.push(Person { name: redacted(name), role, url: url("href"), image_url: url("img") });
}

fn funding<'a, E: Element<'a>>(element: E, base: &Base<'_>, context: &Context<'_>) -> Option<Funding> {
    let url = base.within(element).resolve(element.attribute("url")?, context)?;
    Some(Funding { url, text: title(element, context).map(redacted) })
}

fn reply_to<'a, E: Element<'a>>(element: E, base: &Base<'_>, context: &Context<'_>) -> Option<ReplyTo> {
    let guid = element.attribute("ref").map(str::trim).filter(|guid| !guid.is_empty())?;
    let url = element.attribute("href").and_then(|url| base.within(element).resolve(url, context));
    Some(ReplyTo { guid: finish::redacted_guid(guid), url })
}

/// `<podcast:license url>name</…>`, `<creativeCommons:license>URL</…>` or `<cc:license rdf:resource>`.
fn licence<'a, E: Element<'a>>(element: E, base: &Base<'_>, context: &Context<'_>) -> Option<Licence> {
    let text = word(element, context);
    let stated = element.attribute("url").or_else(|| element.attribute_of(Space::Rdf, "resource")).map(Cow::Borrowed);
    let bare = || text.clone().filter(|text| super::urls::is_web_text(text));
    let target = stated.or_else(bare);
    let url: Option<PrivateUrl> = target.and_then(|url| base.within(element).resolve(&url, context));
    let name = text.filter(|text| !super::urls::is_web_text(text)).map(|name| redacted(name.into_owned()));
    (url.is_some() || name.is_some()).then_some(Licence { name, url })
}

fn number<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<u32> {
    word(element, context)?.parse().ok()
}

fn explicit<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<bool> {
    match word(element, context)?.to_ascii_lowercase().as_str() {
        "yes" | "true" | "explicit" => Some(true),
        "no" | "false" | "clean" => Some(false),
        _ => None,
    }
}

/// A length of time: `hours:minutes:seconds`, `minutes:seconds` or seconds.
fn seconds(text: &str) -> Option<u32> {
    let mut sum = 0_u32;
    for (place, part) in text.split(':').enumerate() {
        let whole = part.trim().split('.').next()?;
        let digits = !whole.is_empty() && whole.len() <= 9 && whole.bytes().all(|byte| byte.is_ascii_digit());
        if place > 2 || !digits {
            return None;
        }
        sum = sum.checked_mul(60)?.checked_add(whole.parse().ok()?)?;
    }
    Some(sum).filter(|sum| *sum > 0)
}

/// More of one kind than this are left out.
const MAX_LISTED: usize = 100;

#[cfg(test)]
mod tests;
