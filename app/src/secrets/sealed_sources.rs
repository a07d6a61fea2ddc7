//! How the passkey in a source's URL outlives the run that it was given to.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::secret::{PrivateUrl, Sealed, Secret, SecretPlace, StoredSecret};
use headwater_domain::synthesis::source::{FeedLocation, Source, SourceId, TenantId};
use headwater_ports::{Error, Result, SourceStore, Store, Vault};
use url::Url;

/// The sources of a store, with the secrets of their URLs sealed beside them.
///
/// The store itself keeps redacted URLs. Where there is a vault key, a URL that is added with a secret is also sealed, and
/// comes back whole; without a key, or with another, the source comes back redacted, as the store has it, and
/// [`shut`](Self::shut) tells it from one whose secret was never kept.
pub(crate) struct SealedSources {
    store: Arc<dyn Store>,
    vault: Arc<dyn Vault>,
}

impl SealedSources {
    /// Puts the two together.
    pub(crate) fn new(store: Arc<dyn Store>, vault: Arc<dyn Vault>) -> Self {
        Self { store, vault }
    }

    /// Which of these sources, redacted as they are, have a sealed URL that no configured key opens.
    ///
    /// # Errors
    /// `invalid_config` where there is such a source and no key at all: it would fail at every run.
    pub(crate) async fn shut(&self, tenant: &TenantId, sources: &[Source]) -> Result<BTreeSet<SourceId>> {
        let redacted: Vec<_> = sources.iter().filter(|source| source.url_redacted).collect();
        if redacted.is_empty() {
            return Ok(BTreeSet::new());
        }
        let shut: BTreeSet<_> =
            self.stored(tenant, &redacted).await?.into_iter().map(|secret| SourceId(secret.place.owner)).collect();
        if !shut.is_empty() && self.vault.active_key().is_none() {
            let detail = format!("the store holds sealed secrets ({}), and no vault key is configured", shut.len());
            return Err(Error::new(ErrorKind::InvalidConfig, "open the stored secrets", detail).with_hint(
                "set HEADWATER__VAULT__KEYS, or vault.keys_file, to the key that sealed them; if it is lost, \
                 `headwater key generate` makes a new one, and each URL has to be given with its secret once more",
            ));
        }
        Ok(shut)
    }

    async fn stored(&self, tenant: &TenantId, sources: &[&Source]) -> Result<Vec<StoredSecret>> {
        let owners: Vec<_> = sources.iter().map(|source| source.id.0.clone()).collect();
        self.store.secrets_of(tenant, &owners, FIELD).await
    }

    /// The stored URLs of these sources; one that no present key opens is left out.
    async fn open(&self, tenant: &TenantId, sources: &[&Source]) -> Result<HashMap<String, PrivateUrl>> {
        if sources.is_empty() {
            return Ok(HashMap::new());
        }
        let stored = self.stored(tenant, sources).await?;
        Ok(stored.into_iter().filter_map(|secret| Some((secret.place.owner.clone(), self.opened(&secret)?))).collect())
    }

    fn opened(&self, secret: &StoredSecret) -> Option<PrivateUrl> {
        match self.vault.open(&secret.place, &secret.sealed.text) {
            Ok(text) => Url::parse(text.expose()).ok().map(PrivateUrl::new),
            Err(error) => {
                tracing::warn!(source.id = secret.place.owner, code = error.kind.code(), "{error}");
                None
            }
        }
    }

    /// Seals the URLs that are not stored yet, or differ from what is.
    async fn seal(&self, tenant: &TenantId, sources: &[Source]) -> Result<()> {
        let secret: Vec<_> = sources.iter().filter(|source| source.url.has_secret()).collect();
        let known = self.open(tenant, &secret).await?;
        let new = secret.into_iter().filter(|source| known.get(&source.id.0) != Some(&source.url));
        let sealed: Vec<(SecretPlace, Sealed)> = new
            .map(|source| {
                let place = SecretPlace::new(tenant, &source.id.0, FIELD);
                let plain = Secret::new(source.url.expose().as_str().to_owned());
                self.vault.seal(&place, &plain).map(|sealed| (place, sealed))
            })
            .collect::<Result<_>>()?;
        if sealed.is_empty() { Ok(()) } else { self.store.save_secrets(&sealed).await }
    }
}

#[async_trait]
impl SourceStore for SealedSources {
    async fn sources(&self, tenant: &TenantId) -> Result<Vec<Source>> {
        let sources = self.store.sources(tenant).await?;
        let redacted: Vec<_> = sources.iter().filter(|source| source.url_redacted).collect();
        let urls = self.open(tenant, &redacted).await?;
        let whole = sources.into_iter().map(|source| match urls.get(&source.id.0) {
            Some(url) if source.url_redacted => source.with_secret(url),
            _ => source,
        });
        Ok(whole.collect())
    }

    async fn add_sources(&self, tenant: &TenantId, sources: &[Source]) -> Result<Vec<Source>> {
        let added = self.store.add_sources(tenant, sources).await?;
        if self.vault.active_key().is_some() {
            self.seal(tenant, &added).await?;
        }
        Ok(added)
    }

    async fn remove_source(&self, tenant: &TenantId, id: &SourceId) -> Result<bool> {
        self.store.remove_source(tenant, id).await
    }

    async fn update_source_rss<'a>(
        &self,
        tenant: &TenantId,
        id: &SourceId,
        expected: Option<&'a FeedLocation>,
        new: Option<&'a FeedLocation>,
    ) -> Result<bool> {
        self.store.update_source_rss(tenant, id, expected, new).await
    }
}

/// The field of a source that is sealed.
const FIELD: &str = "url";

#[cfg(test)]
mod tests;
