//! How digests reach the sinks: once each in the record, again after a crash, and without one sink disturbing another.

use std::collections::BTreeSet;
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::secret::redact_text;
use headwater_domain::synthesis::delivery::{Attempt, DeliveryRecord, DeliveryState, idempotency_key};
use headwater_domain::synthesis::digest::Digest;
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{Clock, Delivery, DigestSink, Error, Result, Store};
use serde::Serialize;

use crate::digest::{Format, Sheet, stored, summary};

/// A sink, with how it wants its digests.
pub(crate) struct Sink {
    /// What it is called.
    pub(crate) name: String,
    /// The form of its digests.
    pub(crate) format: Format,
    /// Whether it gets digests without articles.
    pub(crate) wants_empty: bool,
    /// Whether a digest takes the place of the one before, so that an older one must not come later.
    pub(crate) keeps_latest: bool,
    /// The sink itself.
    pub(crate) sink: Arc<dyn DigestSink>,
}

/// What became of a delivery, as programs see it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Delivered {
    run_id: String,
    pub(crate) sink: String,
    state: &'static str,
    attempts: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<Problem>,
}

/// Why a delivery failed.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Problem {
    code: &'static str,
    message: String,
}

/// Delivers digests to the configured sinks.
pub(crate) struct Deliverer {
    /// Where to.
    pub(crate) sinks: Vec<Sink>,
    /// Where runs and records are.
    pub(crate) store: Arc<dyn Store>,
    /// Whose.
    pub(crate) tenant: TenantId,
    /// What time it is.
    pub(crate) clock: Arc<dyn Clock>,
}

impl Deliverer {
    /// The names of the sinks.
    pub(crate) fn names(&self) -> Vec<String> {
        self.sinks.iter().map(|sink| sink.name.clone()).collect()
    }

    /// Delivers what is owed: the digests of earlier runs, oldest first, then the one that was just made.
    ///
    /// A sink that fails for an earlier digest is asked once more, for the latest. One that keeps only the latest does not
    /// get an older one after it.
    ///
    /// # Errors
    /// Those of the store. A sink that fails is a result.
    pub(crate) async fn deliver_owed(&self, latest: Option<&Digest>) -> Result<Vec<Delivered>> {
        let mut delivered = Vec::new();
        let mut failed = BTreeSet::new();
        for record in self.owed(latest).await? {
            let Some(sink) = self.sinks.iter().find(|sink| sink.name == record.sink) else { continue };
            let digest = latest.filter(|digest| digest.run_id == record.run_id);
            if digest.is_none() && failed.contains(&record.sink) {
                continue;
            }
            let outcome = match digest {
                Some(digest) => self.attempt(sink, record, digest).await?,
                None => match self.digest(&record.run_id).await? {
                    Some(digest) => self.attempt(sink, record, &digest).await?,
                    None => continue,
                },
            };
            if outcome.error.is_some() {
                failed.insert(outcome.sink.clone());
            } else if sink.keeps_latest && outcome.state == DeliveryState::Delivered.as_str() {
                self.let_go(&sink.name, &outcome.run_id).await?;
            }
            delivered.push(outcome);
        }
        Ok(delivered)
    }

    /// What is owed: of earlier runs so much, of the latest one everything.
    async fn owed(&self, latest: Option<&Digest>) -> Result<Vec<DeliveryRecord>> {
        let names = self.names();
        let mut owed = self.store.owed(&self.tenant, &names, MAX_OWED).await?;
        if let Some(digest) = latest {
            owed.retain(|record| record.run_id != digest.run_id);
            let of_latest = self.store.deliveries(&self.tenant, &digest.run_id).await?;
            let is_owed = |one: &DeliveryRecord| one.state == DeliveryState::Owed && names.contains(&one.sink);
            owed.extend(of_latest.into_iter().filter(is_owed));
        }
        Ok(owed)
    }

    /// A sink that keeps the latest digest has that of this run: earlier ones are no longer owed to it.
    async fn let_go(&self, sink: &str, run_id: &str) -> Result<()> {
        loop {
            let owed = self.store.owed(&self.tenant, &[sink.to_owned()], MAX_OWED).await?;
            let mut earlier = owed.into_iter().filter(|record| record.run_id.as_str() < run_id).peekable();
            if earlier.peek().is_none() {
                return Ok(());
            }
            for record in earlier {
                self.close(record, Ok(Attempt::Skipped)).await?;
            }
        }
    }

    /// Delivers the digest of a run to the sinks that do not have it; with [`Again::Yes`] to all of them.
    ///
    /// # Errors
    /// There is no such run; those of the store.
    pub(crate) async fn deliver_run(&self, run_id: &str, again: Again) -> Result<Vec<Delivered>> {
        let digest = self.digest(run_id).await?.ok_or_else(|| {
            Error::new(ErrorKind::Store, "find the run", "the store holds no such run")
                .with_hint("`headwater digest list` names the runs")
        })?;
        let known = self.store.deliveries(&self.tenant, run_id).await?;
        let mut delivered = Vec::new();
        for sink in &self.sinks {
            let record = known.iter().find(|record| record.sink == sink.name).cloned();
            let record = record.unwrap_or_else(|| DeliveryRecord::owed(run_id, &sink.name, self.clock.now()));
            if record.state == DeliveryState::Delivered && again == Again::No {
                delivered.push(shown(&record, None));
                continue;
            }
            delivered.push(self.attempt(sink, record, &digest).await?);
        }
        Ok(delivered)
    }

    /// One attempt, written down.
    async fn attempt(&self, sink: &Sink, record: DeliveryRecord, digest: &Digest) -> Result<Delivered> {
        if digest.articles.is_empty() && !sink.wants_empty {
            return self.close(record, Ok(Attempt::Skipped)).await;
        }
        let key = idempotency_key(&self.tenant, &digest.run_id, &sink.name);
        let subject = format!("Headwater: {}", summary(digest).trim_end_matches('.'));
        let delivery = Delivery {
            run_id: &digest.run_id,
            idempotency_key: &key,
            finished_at: digest.finished_at,
            subject: &subject,
            page: &Sheet::new(digest, sink.format),
            plain: &Sheet::new(digest, Format::Text),
        };
        let outcome = sink.sink.deliver(&delivery).await.map(|()| Attempt::Delivered);
        self.close(record, outcome).await
    }

    async fn close(&self, record: DeliveryRecord, outcome: Result<Attempt>) -> Result<Delivered> {
        let (attempt, problem) = match outcome {
            Ok(attempt) => (attempt, None),
            Err(error) => {
                let message = redact_text(&error.to_string()).chars().take(MAX_MESSAGE_CHARS).collect::<String>();
                let problem = Problem { code: error.kind.code(), message: message.clone() };
                (Attempt::Failed(message), Some(problem))
            }
        };
        let record = record.after(attempt, self.clock.now());
        self.store.save_delivery(&self.tenant, &record).await?;
        Ok(shown(&record, problem))
    }

    async fn digest(&self, run_id: &str) -> Result<Option<Digest>> {
        let Some(run) = self.store.run(&self.tenant, run_id).await? else { return Ok(None) };
        stored::parse(&run.digest_json).map(Some).map_err(|error| {
            Error::new(ErrorKind::Store, "read digest", "the store holds a digest that this version cannot read")
                .with_source(error)
        })
    }
}

/// Whether what was delivered is delivered again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Again {
    /// Yes, with the same key.
    Yes,
    /// No.
    No,
}

impl Delivered {
    /// For people, in a line.
    pub(crate) fn line(&self) -> String {
        let Self { sink, run_id, state, error, .. } = self;
        match error {
            Some(Problem { code, message }) => {
                format!("{sink}: run {run_id} could not be delivered: {message} ({code})")
            }
            None => format!("{sink}: run {run_id} is {state}"),
        }
    }
}

fn shown(record: &DeliveryRecord, error: Option<Problem>) -> Delivered {
    Delivered {
        run_id: record.run_id.clone(),
        sink: record.sink.clone(),
        state: record.state.as_str(),
        attempts: record.attempts,
        error,
    }
}

/// Deliveries that one run tries: after a long outage the rest comes in the next ones.
const MAX_OWED: usize = 50;

const MAX_MESSAGE_CHARS: usize = 300;

#[cfg(test)]
mod tests;
