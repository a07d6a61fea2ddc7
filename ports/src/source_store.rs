//! Which sites and feeds are watched.

use async_trait::async_trait;
use headwater_domain::synthesis::source::{FeedLocation, Source, SourceId, TenantId};

use crate::Result;

/// Keeps the sources of phase 1. Every method sees the rows of its tenant only.
///
/// A store keeps no secret. Of a URL that carries one ([`PrivateUrl::has_secret`]) only the redacted form is kept, and
/// the source comes back with [`Source::url_redacted`]; where a *feed's* URL carries one, no feed location is kept at all
/// ([`FeedLocation::storable`]). Times are kept to the microsecond.
///
/// [`PrivateUrl::has_secret`]: headwater_domain::secret::PrivateUrl::has_secret
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait SourceStore: Send + Sync {
    /// All sources, preferred first, then in the order in which they were added.
    async fn sources(&self, tenant: &TenantId) -> Result<Vec<Source>>;

    /// Adds the sources whose key ([`Source::key`]) is not there yet, and gives all of the given ones as they now stand,
    /// in the given order; all of them are added or none.
    ///
    /// What is known of a source that was there stays, but for `preferred`, which takes the given value, and a title where
    /// there was none. A source that was given with a secret comes back with it, in memory, so that one run can fetch it;
    /// given without one where the store holds a redacted URL, the given URL takes its place.
    async fn add_sources(&self, tenant: &TenantId, sources: &[Source]) -> Result<Vec<Source>>;

    /// Removes a source, and the secrets of which it is the owner; `false` if it was not there.
    async fn remove_source(&self, tenant: &TenantId, id: &SourceId) -> Result<bool>;

    /// Replaces where the source's feed is, if it still is where `expected` says: compare-and-set on URL and time. `false`,
    /// and nothing is changed, if somebody else was faster or the source is gone. A location that is not storable counts
    /// as none, on either side.
    async fn update_source_rss<'a>(
        &self,
        tenant: &TenantId,
        id: &SourceId,
        expected: Option<&'a FeedLocation>,
        new: Option<&'a FeedLocation>,
    ) -> Result<bool>;
}
