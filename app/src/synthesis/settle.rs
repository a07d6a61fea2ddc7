//! How a run becomes lasting: its digest and the fate of its articles, in one transaction.

use std::collections::BTreeSet;

use headwater_domain::ErrorKind;
use headwater_domain::synthesis::digest::Digest;
use headwater_domain::synthesis::history::{ArticleKey, HistoryEntry, RunRecord};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{ArticleStore, Error, Result};

use crate::digest::json;

/// Writes the run, and takes out of its digest what a run at the same time settled first.
pub(crate) async fn settle(
    store: &dyn ArticleStore,
    tenant: &TenantId,
    digest: &mut Digest,
    history: &[HistoryEntry],
) -> Result<()> {
    let settled: BTreeSet<ArticleKey> = store.settle(tenant, &record(digest)?, history).await?.into_iter().collect();
    let before = digest.articles.len();
    digest.retain_articles(|article| settled.contains(&ArticleKey::of(&article.article.url)));
    if digest.articles.len() == before {
        return Ok(());
    }
    digest.counts.kept = digest.articles.len();
    store.settle(tenant, &record(digest)?, history).await?;
    Ok(())
}

fn record(digest: &Digest) -> Result<RunRecord> {
    let digest_json = json::to_string(digest)
        .map_err(|error| Error::new(ErrorKind::Internal, "write digest", "the digest is no JSON").with_source(error))?;
    Ok(RunRecord {
        run_id: digest.run_id.clone(),
        started_at: digest.started_at,
        finished_at: digest.finished_at,
        kept: digest.articles.len(),
        digest_json,
    })
}
