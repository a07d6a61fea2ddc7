//! What a feed and its items say in vocabularies for special purposes: podcasts, places, conversations, licences.

use super::Place;
use crate::secret::PrivateUrl;

/// What an item says beyond what all items say.
///
/// No part of the item's digest: counts of comments change by themselves, and none of this is what was written.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ItemExtras {
    /// Where it is about.
    pub place: Option<Place>,
    /// Which item it answers.
    pub in_reply_to: Option<ReplyTo>,
    /// How many comments there are.
    pub comment_count: Option<u32>,
    /// How long it plays.
    pub duration_seconds: Option<u32>,
    /// The number of the season.
    pub season: Option<u32>,
    /// The number of the episode within its season.
    pub episode: Option<u32>,
    /// It is not for everybody.
    pub explicit: Option<bool>,
    /// What is said in it, in any number of languages and forms.
    pub transcripts: Vec<Document>,
    /// Where its parts begin.
    pub chapters: Option<Document>,
    /// Who takes part, in order.
    pub people: Vec<Person>,
    /// Under which terms it may be used.
    pub licence: Option<Licence>,
}

/// What a feed says beyond what all feeds say.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FeedExtras {
    /// The podcast's own identifier, the same wherever it is published.
    pub podcast_guid: Option<String>,
    /// Whether the podcast may not be taken over by other platforms.
    pub locked: Option<bool>,
    /// Where money can be given.
    pub funding: Vec<Funding>,
    /// Who takes part in all items, in order.
    pub people: Vec<Person>,
    /// It is not for everybody.
    pub explicit: Option<bool>,
    /// Where it is about.
    pub place: Option<Place>,
    /// Under which terms all items may be used.
    pub licence: Option<Licence>,
}

/// The item that another one answers (RFC 4685).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyTo {
    /// Its guid, in redacted form.
    pub guid: String,
    /// Where it can be read.
    pub url: Option<PrivateUrl>,
}

/// A text or a table that belongs to an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Where it is.
    pub url: PrivateUrl,
    /// The media type, as stated.
    pub mime: Option<String>,
    /// A language tag.
    pub language: Option<String>,
}

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name.
    pub name: String,
    /// What the person does, in lower case; a host where nothing is stated.
    pub role: Option<String>,
    /// Where more is told.
    pub url: Option<PrivateUrl>,
    /// A picture.
    pub image_url: Option<PrivateUrl>,
}

/// A place to give money.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Funding {
    /// Where.
    pub url: PrivateUrl,
    /// What is asked.
    pub text: Option<String>,
}

/// Terms of use: a name, an address, or both.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Licence {
    /// What they are called.
    pub name: Option<String>,
    /// Where they stand.
    pub url: Option<PrivateUrl>,
}

impl ItemExtras {
    /// The extras, if any is there.
    pub fn boxed(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}

impl FeedExtras {
    /// The extras, if any is there.
    pub fn boxed(self) -> Option<Box<Self>> {
        (self != Self::default()).then(|| Box::new(self))
    }
}
