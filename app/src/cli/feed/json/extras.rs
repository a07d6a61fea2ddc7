//! How what few feeds and items say looks as JSON.

use std::borrow::Cow;

use headwater_domain::feed::extras::{Document, FeedExtras, Funding, ItemExtras, Licence, Person, ReplyTo};
use headwater_domain::feed::place::Place;
use headwater_domain::secret::{PrivateUrl, redact_content};
use serde::Serialize;
use serde::ser::SerializeStruct;

use super::Fields;

/// Writes the extras of a feed among its other fields.
pub(super) fn feed_fields<S: SerializeStruct>(extras: &FeedExtras, fields: &mut Fields<S>) -> Result<(), S::Error> {
    fields.text("podcast_guid", extras.podcast_guid.as_deref())?;
    fields.some("locked", extras.locked.as_ref())?;
    fields.list("funding", &extras.funding.iter().map(FundingJson::of).collect::<Vec<_>>())?;
    fields.list("people", &extras.people.iter().map(PersonJson::of).collect::<Vec<_>>())?;
    fields.some("explicit", extras.explicit.as_ref())?;
    fields.some("place", extras.place.map(PlaceJson::of).as_ref())?;
    fields.some("licence", extras.licence.as_ref().map(LicenceJson::of).as_ref())
}

/// Writes the extras of an item among its other fields.
pub(super) fn item_fields<S: SerializeStruct>(extras: &ItemExtras, fields: &mut Fields<S>) -> Result<(), S::Error> {
    fields.some("place", extras.place.map(PlaceJson::of).as_ref())?;
    fields.some("in_reply_to", extras.in_reply_to.as_ref().map(ReplyJson::of).as_ref())?;
    fields.some("comment_count", extras.comment_count.as_ref())?;
    fields.some("duration_seconds", extras.duration_seconds.as_ref())?;
    fields.some("season", extras.season.as_ref())?;
    fields.some("episode", extras.episode.as_ref())?;
    fields.some("explicit", extras.explicit.as_ref())?;
    fields.list("transcripts", &extras.transcripts.iter().map(DocumentJson::of).collect::<Vec<_>>())?;
    fields.some("chapters", extras.chapters.as_ref().map(DocumentJson::of).as_ref())?;
    fields.list("people", &extras.people.iter().map(PersonJson::of).collect::<Vec<_>>())?;
    fields.some("licence", extras.licence.as_ref().map(LicenceJson::of).as_ref())
}

#[derive(Serialize)]
struct PlaceJson {
    latitude: f64,
    longitude: f64,
}

impl PlaceJson {
    fn of(place: Place) -> Self {
        Self { latitude: place.latitude(), longitude: place.longitude() }
    }
}

#[derive(Serialize)]
struct ReplyJson<'a> {
    guid: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Cow<'a, str>>,
}

impl<'a> ReplyJson<'a> {
    fn of(reply: &'a ReplyTo) -> Self {
        Self { guid: &reply.guid, url: shown(reply.url.as_ref()) }
    }
}

#[derive(Serialize)]
struct DocumentJson<'a> {
    url: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    language: Option<&'a str>,
}

impl<'a> DocumentJson<'a> {
    fn of(document: &'a Document) -> Self {
        let (mime, language) = (document.mime.as_deref(), document.language.as_deref());
        Self { url: document.url.redacted_str(), mime, language }
    }
}

#[derive(Serialize)]
struct PersonJson<'a> {
    name: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    image_url: Option<Cow<'a, str>>,
}

impl<'a> PersonJson<'a> {
    fn of(person: &'a Person) -> Self {
        Self {
            name: redact_content(&person.name),
            role: person.role.as_deref(),
            url: shown(person.url.as_ref()),
            image_url: shown(person.image_url.as_ref()),
        }
    }
}

#[derive(Serialize)]
struct FundingJson<'a> {
    url: Cow<'a, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
}

impl<'a> FundingJson<'a> {
    fn of(funding: &'a Funding) -> Self {
        Self { url: funding.url.redacted_str(), text: funding.text.as_deref().map(redact_content) }
    }
}

#[derive(Serialize)]
struct LicenceJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    url: Option<Cow<'a, str>>,
}

impl<'a> LicenceJson<'a> {
    fn of(licence: &'a Licence) -> Self {
        Self { name: licence.name.as_deref().map(redact_content), url: shown(licence.url.as_ref()) }
    }
}

fn shown(url: Option<&PrivateUrl>) -> Option<Cow<'_, str>> {
    url.map(PrivateUrl::redacted_str)
}
