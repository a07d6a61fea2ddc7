//! A source with its health, as JSON and for people.

use std::collections::BTreeMap;

use headwater_connectors::rss::FeedMemory;
use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::health::{Health, LastOutcome};
use headwater_domain::synthesis::source::{Source, TenantId};
use headwater_ports::{FeedStore, Result};
use jiff::Timestamp;
use serde::Serialize;

use crate::context::Context;

/// A source with its health.
#[derive(Debug)]
pub(super) struct Listed {
    /// The source.
    pub(super) source: Source,
    /// How it is doing.
    pub(super) health: Health,
}

/// The health of each of these sources: that of its feed, else that of its page.
pub(super) async fn with_health(sources: Vec<Source>, store: &dyn FeedStore, context: &Context) -> Result<Vec<Listed>> {
    let keys: Vec<String> = sources.iter().map(|source| FeedMemory::key(asked(source))).collect();
    let memories: BTreeMap<_, _> = store.feed_memories(&TenantId::default(), &keys).await?.into_iter().collect();
    let (now, policy) = (context.clock.now(), context.config.reader_policy());
    let listed = sources.into_iter().zip(keys).map(|(source, key)| {
        let memory = memories.get(&key).and_then(|text| FeedMemory::from_json(text).ok()).unwrap_or_default();
        Listed { health: Health::of(&memory.state, now, &policy), source }
    });
    Ok(listed.collect())
}

/// Where a source is asked.
fn asked(source: &Source) -> &PrivateUrl {
    source.feed.as_ref().map_or(&source.url, |feed| &feed.rss_url)
}

/// A source as JSON.
#[derive(Debug, Serialize)]
pub(super) struct SourceJson<'a> {
    id: &'a str,
    url: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    needs_secret: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<&'a str>,
    preferred: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_url: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    feed_found_at: Option<Timestamp>,
    health: HealthJson<'a>,
}

#[derive(Debug, Serialize)]
struct HealthJson<'a> {
    outcome: &'static str,
    last_attempt_at: Option<Timestamp>,
    last_read_at: Option<Timestamp>,
    next_attempt_at: Option<Timestamp>,
    failures: u32,
    circuit: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_error: Option<ErrorJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<&'a str>,
}

#[derive(Debug, Serialize)]
struct ErrorJson<'a> {
    code: &'static str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    http_status: Option<u16>,
    at: Timestamp,
}

impl Listed {
    /// As JSON.
    pub(super) fn json(&self) -> SourceJson<'_> {
        let Self { source, health } = self;
        let last_error = health.last_error.as_ref().map(|error| ErrorJson {
            code: error.code.code(),
            message: error.message.as_str(),
            http_status: error.http_status,
            at: error.at,
        });
        SourceJson {
            id: &source.id.0,
            url: source.url.redacted(),
            needs_secret: source.url_redacted,
            title: source.title.as_deref(),
            preferred: source.preferred,
            feed_url: source.feed.as_ref().map(|feed| feed.rss_url.redacted()),
            feed_found_at: source.feed.as_ref().and_then(|feed| feed.rss_discovered_at),
            health: HealthJson {
                outcome: health.outcome.as_str(),
                last_attempt_at: health.last_attempt_at,
                last_read_at: health.last_read_at,
                next_attempt_at: health.next_attempt_at,
                failures: health.failures,
                circuit: health.circuit.as_str(),
                last_error,
                advice: self.advice(),
            },
        }
    }

    /// What the owner can do.
    pub(super) fn advice(&self) -> Option<&'static str> {
        let secret = "give its URL again with its secret: `headwater source add URL`";
        if self.source.url_redacted { Some(secret) } else { self.health.advice }
    }

    /// What there is to say of its health, in a few words.
    pub(super) fn state(&self) -> String {
        let health = &self.health;
        match (health.outcome, health.last_attempt_at) {
            _ if self.source.url_redacted => "needs its secret".to_owned(),
            (LastOutcome::Gone, _) => "gone".to_owned(),
            (LastOutcome::Failed, _) => {
                let code = health.last_error.as_ref().map_or("failed", |error| error.code.code());
                format!("failed ({code}, {} in a row)", health.failures)
            }
            (LastOutcome::Ok, Some(at)) => format!("ok, {}", minute(at)),
            (LastOutcome::Ok | LastOutcome::Never, _) => "not read yet".to_owned(),
        }
    }
}

/// A moment to the minute.
pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%d %H:%M UTC").to_string()
}
