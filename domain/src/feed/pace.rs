//! When to ask a feed again after a good answer: its rhythm, and what it and its server ask for.

mod skip;

use std::time::Duration;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use self::skip::Skips;
use super::reader_policy::ReaderPolicy;
use super::{FeedDocument, FeedItem};
use crate::resilience::jittered;
use crate::resilience::span::{later, since, until};

/// What is known of a feed's pace. Kept between polls, since a 304 tells nothing new.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Pace {
    /// The middle one of the waits between the latest items, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    rhythm_s: Option<u64>,
    /// When the latest item was published.
    #[serde(skip_serializing_if = "Option::is_none")]
    newest_at: Option<Timestamp>,
    /// What `ttl` or `sy:updatePeriod` asks for, whichever is longer, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    asked_s: Option<u64>,
    /// How long the last answer stays fresh by its headers, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    fresh_s: Option<u64>,
    #[serde(skip_serializing_if = "Skips::is_none")]
    skips: Skips,
    /// The feed says that it has ended.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    complete: bool,
    /// Items may have come and gone between the last two polls.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    gap: bool,
}

impl Pace {
    /// The pace that a document shows.
    pub fn of(document: &FeedDocument, now: Timestamp) -> Self {
        let newest = latest_dates(&document.items, now);
        let ttl = document.ttl_minutes.into_iter().chain(document.update_period_minutes).max();
        Self {
            rhythm_s: rhythm(&newest),
            newest_at: newest.first().copied(),
            asked_s: ttl.map(|minutes| u64::from(minutes) * 60),
            fresh_s: None,
            skips: Skips::of(&document.skip_hours, &document.skip_days),
            complete: document.complete,
            gap: false,
        }
    }

    /// With whether there may be a gap: the next poll then comes sooner.
    #[must_use]
    pub fn with_gap(self, gap: bool) -> Self {
        Self { gap, ..self }
    }

    /// With how long the answer stays fresh (see [`fresh_for`]).
    #[must_use]
    pub fn with_fresh(self, fresh: Option<Duration>) -> Self {
        Self { fresh_s: fresh.map(|fresh| fresh.as_secs()), ..self }
    }

    /// The moment of the next poll. `chance` spreads it, later only.
    ///
    /// The interval is the configured one, or half the rhythm, and longer for a feed that has been silent for long. It
    /// is never shorter than what `ttl`, `sy:*` and the headers ask for, up to `max_interval`; then `skipHours` and
    /// `skipDays` move it to when something may be published.
    pub fn next_poll(&self, now: Timestamp, policy: &ReaderPolicy, chance: u64) -> Timestamp {
        let asked = Duration::from_secs(self.asked_s.max(self.fresh_s).unwrap_or(0)).min(policy.longest_asked());
        let wait = match policy.interval {
            Some(interval) if interval >= asked => interval,
            _ => jittered(self.measured(now, policy).max(asked), chance),
        };
        let due = later(now, wait);
        let longest = if self.skips.has_days() { LONGEST_SKIP } else { LONGEST_ASKED };
        let limit = later(now, policy.max_interval.unwrap_or(longest).max(wait));
        self.skips.next_open(due).map_or(due, |open| open.min(limit))
    }

    /// The interval that the feed's own behaviour suggests.
    fn measured(&self, now: Timestamp, policy: &ReaderPolicy) -> Duration {
        if let Some(interval) = policy.interval {
            return interval;
        }
        if self.complete {
            return policy.longest_asked();
        }
        let silence = self.newest_at.map_or(Duration::ZERO, |newest| since(newest, now) / SILENCE_SHARE);
        let rhythm = self.rhythm_s.map_or(DEFAULT_INTERVAL, |seconds| Duration::from_secs(seconds / 2));
        let interval = if self.gap { rhythm.min(DEFAULT_INTERVAL) / 2 } else { rhythm.max(silence) };
        interval.clamp(policy.min_interval, LONGEST_MEASURED.max(policy.min_interval))
    }
}

impl ReaderPolicy {
    /// The longest wait that a feed can ask for, other than by `skipDays`.
    fn longest_asked(&self) -> Duration {
        self.max_interval.unwrap_or(LONGEST_ASKED)
    }
}

/// How long an answer stays fresh: `max-age` less the `Age` it already has, else `Expires`.
///
/// The values are those of the headers `Cache-Control`, `Age` and `Expires`. `None` where they say nothing, or that it
/// may not be kept.
pub fn fresh_for(
    cache_control: Option<&str>,
    age: Option<&str>,
    expires: Option<&str>,
    now: Timestamp,
) -> Option<Duration> {
    let directives = cache_control.unwrap_or_default().split(',').map(str::trim);
    let mut max_age = None;
    for directive in directives {
        let (name, value) = directive.split_once('=').unwrap_or((directive, ""));
        match name.trim().to_ascii_lowercase().as_str() {
            "no-store" | "no-cache" => return None,
            "max-age" => max_age = value.trim().trim_matches('"').parse::<u64>().ok().or(max_age),
            _ => {}
        }
    }
    let fresh = match max_age {
        Some(seconds) => {
            let age = age.and_then(|age| age.trim().parse::<u64>().ok()).unwrap_or(0);
            Duration::from_secs(seconds.saturating_sub(age))
        }
        None => until(super::date::parse_date(expires?)?.at, now),
    };
    (!fresh.is_zero()).then_some(fresh)
}

/// The latest dates of items, latest first; dates ahead of now are no guide.
fn latest_dates(items: &[FeedItem], now: Timestamp) -> Vec<Timestamp> {
    let mut dates: Vec<_> =
        items.iter().filter_map(|item| item.published_at.or(item.updated_at)).filter(|date| *date <= now).collect();
    dates.sort_unstable_by(|one, other| other.cmp(one));
    dates.truncate(RHYTHM_ITEMS);
    dates
}

/// The middle one of the waits between dates, latest first.
fn rhythm(dates: &[Timestamp]) -> Option<u64> {
    let mut waits: Vec<_> = dates.windows(2).map(|pair| since(pair[1], pair[0]).as_secs()).collect();
    waits.sort_unstable();
    waits.get(waits.len() / 2).copied()
}

/// The rhythm is measured between so many items.
const RHYTHM_ITEMS: usize = 12;

/// A feed that has been silent for ten days is asked once a day at most.
const SILENCE_SHARE: u32 = 10;

/// Where nothing is known of the rhythm.
const DEFAULT_INTERVAL: Duration = Duration::from_secs(3600);

/// However rare its items are, a feed is asked once a day.
const LONGEST_MEASURED: Duration = Duration::from_secs(86_400);

const LONGEST_ASKED: Duration = Duration::from_secs(86_400);

/// `skipDays` may name six days.
const LONGEST_SKIP: Duration = Duration::from_secs(7 * 86_400);

#[cfg(test)]
mod tests;
