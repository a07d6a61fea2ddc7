//! What a feed says of itself.

use std::borrow::Cow;

use headwater_domain::feed::{FeedDocument, FeedExtras, Weekday};
use headwater_domain::secret::{PrivateUrl, redact_content};
use headwater_domain::text::{collapse_space, plain_text};
use jiff::Timestamp;

use super::item::{date, fill, image_of};
use super::links::{self, Link};
use super::urls::Base;
use super::{Context, body, extras, is_item, text};
use crate::names;
use crate::space::Space;
use crate::tree::Element;

/// What is gathered before precedence is known.
#[derive(Default)]
struct Gathered<'a> {
    links: Vec<Link<'a>>,
    /// Pictures: the feed's own, and those of other vocabularies.
    image: Option<PrivateUrl>,
    other_image: Option<PrivateUrl>,
    /// When something was built or changed, and when it was published.
    updated: Option<Timestamp>,
    published: Option<Timestamp>,
    other_title: Option<String>,
    other_description: Option<String>,
    period: Option<u32>,
    frequency: Option<u32>,
    extras: extras::Gathered<FeedExtras>,
}

/// Fills in everything but the items.
pub(super) fn fill_in<'a, E: Element<'a>>(
    document: &mut FeedDocument,
    root: E,
    channel: E,
    base: &Base<'_>,
    context: &Context<'_>,
) {
    let mut gathered = Gathered::default();
    for element in channel.elements().filter(|element| !is_item(*element)) {
        let mut buffer = [0; names::LONGEST];
        let name = names::folded(element.name(), &mut buffer);
        match element.space() {
            Space::Core | Space::Atom => read_own(name, element, document, &mut gathered, base, context),
            _ => read_other(name, element, document, &mut gathered, base, context),
        }
    }
    read_beside(root, channel, &mut gathered, base, context);
    let stated = [channel, root].into_iter().find_map(|element| element.attribute_of(Space::Xml, "lang"));
    fill(&mut document.language, || stated.map(str::trim).filter(|tag| !tag.is_empty()).map(str::to_owned));
    settle(document, gathered);
}

/// In RDF the picture stands beside the channel.
fn read_beside<'a, E: Element<'a>>(
    root: E,
    channel: E,
    gathered: &mut Gathered<'a>,
    base: &Base<'_>,
    context: &Context<'_>,
) {
    if channel.name() == root.name() {
        return;
    }
    for element in root.elements().filter(|element| element.name().eq_ignore_ascii_case("image")) {
        fill(&mut gathered.image, || image_of(element, base, context));
    }
}

fn read_own<'a, E: Element<'a>>(
    name: &str,
    element: E,
    document: &mut FeedDocument,
    gathered: &mut Gathered<'a>,
    base: &Base<'_>,
    context: &Context<'_>,
) {
    match name {
        "title" if !context.is_atom_element(element) || context.is_atom() => {
            fill(&mut document.title, || text::title(element, context).map(text::redacted));
        }
        "link" => gathered.links.extend(Link::read(element, base, context)),
        "description" | "subtitle" | "tagline" => {
            fill(&mut document.description, || described(element, base, context));
        }
        "language" => fill(&mut document.language, || text::word(element, context).map(Cow::into_owned)),
        "image" | "logo" => fill(&mut gathered.image, || image_of(element, base, context)),
        "icon" => fill(&mut gathered.other_image, || image_of(element, base, context)),
        "lastbuilddate" | "updated" | "modified" => {
            fill(&mut gathered.updated, || date(element, context).map(|d| d.at))
        }
        "pubdate" | "published" => fill(&mut gathered.published, || date(element, context).map(|d| d.at)),
        "ttl" => fill(&mut document.ttl_minutes, || number(element, context)),
        "skiphours" => document.skip_hours = skip_hours(element, context),
        "skipdays" => document.skip_days = skip_days(element, context),
        _ => {}
    }
}

fn read_other<'a, E: Element<'a>>(
    name: &str,
    element: E,
    document: &mut FeedDocument,
    gathered: &mut Gathered<'a>,
    base: &Base<'_>,
    context: &Context<'_>,
) {
    match (element.space(), name) {
        (Space::Dc, "language") => fill(&mut document.language, || text::word(element, context).map(Cow::into_owned)),
        (Space::Dc | Space::DcTerms, "date" | "modified" | "issued" | "created") => {
            fill(&mut gathered.published, || date(element, context).map(|date| date.at));
        }
        (Space::Dc | Space::Itunes | Space::Media | Space::GooglePlay, "title") => {
            fill(&mut gathered.other_title, || text::title(element, context));
        }
        (Space::Dc | Space::Itunes | Space::Media | Space::GooglePlay, "description" | "summary" | "subtitle") => {
            fill(&mut gathered.other_description, || described(element, base, context));
        }
        (Space::Itunes | Space::GooglePlay, "image") | (Space::Media, "thumbnail") => {
            fill(&mut gathered.other_image, || image_of(element, base, context));
        }
        (Space::Itunes, "complete") => {
            document.complete |= text::word(element, context).is_some_and(|word| word.eq_ignore_ascii_case("yes"));
        }
        (Space::Syndication, "updateperiod") => fill(&mut gathered.period, || period_minutes(element, context)),
        (Space::Syndication, "updatefrequency") => fill(&mut gathered.frequency, || number(element, context)),
        _ => gathered.extras.read(name, element, base, context),
    }
}

fn settle(document: &mut FeedDocument, gathered: Gathered<'_>) {
    let links = &gathered.links;
    let relation = |rel: &str| links::of_relation(links, rel).cloned();
    document.link = links::main(links).cloned();
    document.self_url = relation("self");
    document.hub_url = relation("hub");
    document.next_url = relation("next");
    document.prev_archive_url = relation("prev-archive");
    document.image_url = gathered.image.or(gathered.other_image);
    document.updated_at = gathered.updated.or(gathered.published);
    fill(&mut document.title, || gathered.other_title);
    fill(&mut document.description, || gathered.other_description);
    document.extras = gathered.extras.finish();
    document.update_period_minutes =
        gathered.period.map(|minutes| (minutes / gathered.frequency.unwrap_or(1).max(1)).max(1));
}

/// A description of a feed, as plain text.
fn described<'a, E: Element<'a>>(element: E, base: &Base<'_>, context: &Context<'_>) -> Option<String> {
    use headwater_domain::feed::ContentKind;
    let content = body::of(element, base, context)?;
    let text = match content.kind {
        ContentKind::Html => plain_text(&content.raw),
        ContentKind::Text => collapse_space(&content.raw),
    };
    (!text.is_empty()).then(|| redact_content(&text).into_owned())
}

fn number<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<u32> {
    text::word(element, context)?.parse().ok().filter(|number| *number > 0)
}

/// The minutes of an `sy:updatePeriod`.
fn period_minutes<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Option<u32> {
    const HOUR: u32 = 60;
    match text::word(element, context)?.to_ascii_lowercase().as_str() {
        "hourly" => Some(HOUR),
        "daily" => Some(24 * HOUR),
        "weekly" => Some(7 * 24 * HOUR),
        "monthly" => Some(30 * 24 * HOUR),
        "yearly" => Some(365 * 24 * HOUR),
        _ => None,
    }
}

/// Hours from 0 to 23; 24 is midnight, as RSS 0.91 had it.
fn skip_hours<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Vec<u8> {
    let hours = element.elements().filter_map(|hour| text::word(hour, context)?.parse::<u8>().ok());
    let mut hours: Vec<u8> = hours.filter(|hour| *hour <= 24).map(|hour| hour % 24).take(MAX_LISTED).collect();
    hours.sort_unstable();
    hours.dedup();
    hours
}

fn skip_days<'a, E: Element<'a>>(element: E, context: &Context<'_>) -> Vec<Weekday> {
    let mut days = Vec::new();
    for day in element.elements().take(MAX_LISTED).filter_map(|day| weekday(&text::word(day, context)?)) {
        if !days.contains(&day) {
            days.push(day);
        }
    }
    days
}

fn weekday(name: &str) -> Option<Weekday> {
    use Weekday as W;
    let all = [W::Monday, W::Tuesday, W::Wednesday, W::Thursday, W::Friday, W::Saturday, W::Sunday];
    all.into_iter().find(|day| name.trim().eq_ignore_ascii_case(day.as_str()))
}

/// More hours or days than this are nonsense.
const MAX_LISTED: usize = 200;
