//! How one attempt at a feed goes: plan, request, parse, record.

use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_domain::feed::FeedDocument;
use headwater_domain::feed::cursor::{Applied, Batch, FeedCursor, apply_feed_items};
use headwater_domain::feed::fetch_state::{
    Failure, Move, Occasion, Outcome, Plan, SkipReason, Validators, plan_for, record,
};
use headwater_domain::feed::identity::Fingerprint;
use headwater_domain::feed::pace::Pace;
use headwater_domain::feed::reader_policy::ReaderPolicy;
use headwater_domain::secret::{PrivateUrl, Redacted};
use headwater_ports::{Clock, Error, FeedParser, FetchResponse, Fetcher};
use jiff::Timestamp;

use super::access::Access;
use super::answer::{self, Answer, OPERATION, judge};
use super::limits::ReadLimits;
use super::request::move_between;
use super::walk::Walk;
use super::{FeedMemory, FeedReading, FeedRequest, ReadingKind};

/// Reads feeds, one attempt at a time. One reader serves many feeds at once: what one of them learns of a host's
/// patience (429) holds for all.
pub struct FeedReader {
    access: Access,
    clock: Arc<dyn Clock>,
    policy: ReaderPolicy,
}

/// An attempt that got an answer, or none.
struct Attempt<'r> {
    reader: &'r FeedReader,
    request: &'r FeedRequest,
    url: PrivateUrl,
    now: Timestamp,
    memory: FeedMemory,
    requests: u32,
}

impl FeedReader {
    /// A reader with default limits.
    pub fn new(
        fetcher: Arc<dyn Fetcher>,
        parser: Arc<dyn FeedParser>,
        clock: Arc<dyn Clock>,
        policy: ReaderPolicy,
    ) -> Self {
        let access = Access::new(fetcher, parser, policy.max_delay);
        Self { access, clock, policy }
    }

    /// The reader with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: ReadLimits) -> Self {
        self.access.limits = limits;
        self
    }

    /// Makes one attempt. Gives what it came to, and the memory to keep for the next one.
    ///
    /// A dropped future leaves no trace: the memory is as it was, and the attempt does not count.
    pub async fn read(&self, request: &FeedRequest, memory: FeedMemory) -> (FeedReading, FeedMemory) {
        let attempt = self.attempt(request, memory);
        match attempt.plan() {
            Plan::Skip { until, why } => attempt.skipped(until, why),
            Plan::Fetch { validators, .. } => attempt.fetch(validators).await,
        }
    }

    /// What an attempt would come to that makes no request; `None` where it would make one.
    pub fn skip(&self, request: &FeedRequest, memory: &FeedMemory) -> Option<FeedReading> {
        let attempt = self.attempt(request, memory.clone());
        match attempt.plan() {
            Plan::Skip { until, why } => Some(attempt.skipped(until, why).0),
            Plan::Fetch { .. } => None,
        }
    }

    /// Takes the answer to a request for the feed's URL that somebody else made, without validators, as an attempt.
    pub async fn take(
        &self,
        request: &FeedRequest,
        memory: FeedMemory,
        response: FetchResponse,
    ) -> (FeedReading, FeedMemory) {
        self.attempt(request, memory).answered(response, &Validators::default()).await
    }

    /// Takes note that somebody else's request for the URL had no answer.
    pub fn take_failure(&self, request: &FeedRequest, memory: FeedMemory, error: Error) -> (FeedReading, FeedMemory) {
        self.attempt(request, memory).failed(error, None)
    }

    /// Takes note that the URL gave a page where a feed might have been: all is well, and no feed is known here.
    pub fn take_page(&self, request: &FeedRequest, memory: FeedMemory) -> FeedMemory {
        let mut attempt = self.attempt(request, memory);
        let (validators, pace) = (Validators::default(), Pace::default());
        attempt.record(Outcome::Read { validators, truncated: false, pace, moved: None });
        attempt.memory.state.revisit();
        attempt.memory.cursor = FeedCursor::default();
        attempt.memory
    }

    fn attempt<'r>(&'r self, request: &'r FeedRequest, memory: FeedMemory) -> Attempt<'r> {
        let memory = memory.for_feed(&request.url);
        let url = request.current_url(&memory.state);
        Attempt { reader: self, request, url, now: self.clock.now(), memory, requests: 0 }
    }

    /// The settings.
    pub fn policy(&self) -> &ReaderPolicy {
        &self.policy
    }
}

impl Attempt<'_> {
    fn plan(&self) -> Plan {
        let occasion = self.request.occasion;
        let plan = plan_for(&self.memory.state, self.now, &self.reader.policy, occasion);
        let why = if occasion == Occasion::Poll { SkipReason::NotDue } else { SkipReason::Throttled };
        match self.reader.access.host_wait(&self.url, self.now) {
            Some(until) if matches!(plan, Plan::Fetch { .. }) => Plan::Skip { until: Some(until), why },
            _ => plan,
        }
    }

    async fn fetch(mut self, validators: Validators) -> (FeedReading, FeedMemory) {
        let request = self.request.at(self.url.clone(), &validators, self.reader.access.limits.fetch);
        let exchange = self.reader.access.exchange(request, self.now).await;
        self.requests = exchange.requests;
        self.now = self.reader.clock.now();
        match exchange.outcome {
            Ok(response) => self.answered(response, &validators).await,
            Err(error) => self.failed(error, None),
        }
    }

    async fn answered(self, response: FetchResponse, validators: &Validators) -> (FeedReading, FeedMemory) {
        match judge(&response, validators, self.now) {
            Answer::Failed(error) => self.failed(error, Some(&response)),
            Answer::NotModified => self.not_modified(&response),
            Answer::Body { delta } => match self.reader.access.parse(&response).await {
                Ok(document) => self.read(document, &response, if delta { Batch::Delta } else { Batch::Whole }).await,
                Err(error) => self.failed(answer::unreadable(error, &response), Some(&response)),
            },
        }
    }

    async fn read(
        mut self,
        mut document: FeedDocument,
        response: &FetchResponse,
        batch: Batch,
    ) -> (FeedReading, FeedMemory) {
        let cursor = std::mem::take(&mut self.memory.cursor);
        let walk = Walk {
            access: &self.reader.access,
            max_pages: self.reader.policy.max_pages,
            request: self.request,
            cursor: &cursor,
            now: self.now,
        };
        let pace = Pace::of(&document, self.now).with_fresh(answer::fresh(&response.headers, self.now));
        if batch == Batch::Whole && walk.is_needed(&document) {
            self.requests += walk.run(&mut document, [self.url.expose(), response.final_url.expose()]).await;
        }
        let (cursor, applied) = apply_feed_items(&cursor, &document.items, batch, self.now);
        self.memory.cursor = cursor;
        let outcome = Outcome::Read {
            validators: answer::validators(&response.headers),
            truncated: document.truncated || response.body_cut,
            pace: pace.with_gap(applied.possible_gap),
            moved: self.moved(response),
        };
        self.record(outcome);
        let reading =
            FeedReading { document: Some(document), applied, ..self.reading(ReadingKind::Ok, Some(response)) };
        (reading, self.memory)
    }

    fn not_modified(mut self, response: &FetchResponse) -> (FeedReading, FeedMemory) {
        self.record(Outcome::NotModified {
            validators: answer::validators(&response.headers),
            fresh: answer::fresh(&response.headers, self.now),
            moved: self.moved(response),
        });
        (self.reading(ReadingKind::NotModified, Some(response)), self.memory)
    }

    fn failed(mut self, error: Error, response: Option<&FetchResponse>) -> (FeedReading, FeedMemory) {
        let failure = Failure {
            kind: error.kind,
            http_status: response.map(|response| response.status),
            message: Redacted::text(&error.detail),
            asked_wait: error.retry_after,
        };
        let kind = self.record(Outcome::Failed(failure)).unwrap_or(error.kind);
        let reading =
            FeedReading { error: Some(Error { kind, ..error }), ..self.reading(ReadingKind::Error, response) };
        (reading, self.memory)
    }

    fn skipped(self, until: Option<Timestamp>, why: SkipReason) -> (FeedReading, FeedMemory) {
        let detail = match why {
            SkipReason::NotDue => "the next attempt is not due yet",
            SkipReason::Throttled => "the server asked to be left alone for a while",
            SkipReason::CircuitOpen => "too many attempts in a row failed",
            SkipReason::Gone => "the feed is gone for good",
        };
        let error = Some(Error::new(why.kind(), OPERATION, detail));
        let reading = FeedReading { error, next_attempt_at: until, ..self.reading(ReadingKind::Skipped, None) };
        (reading, self.memory)
    }

    fn record(&mut self, outcome: Outcome) -> Option<ErrorKind> {
        if self.request.occasion == Occasion::ByHand && !matches!(outcome, Outcome::Failed(_)) {
            // Somebody asked for it, and it answers: whatever held it up is over.
            self.memory.state.reset_circuit();
        }
        let chance = Fingerprint::of(&[&self.url.masked(), &self.now.to_string()]).number();
        record(&mut self.memory.state, outcome, self.now, &self.reader.policy, chance)
    }

    fn moved(&self, response: &FetchResponse) -> Option<Move> {
        move_between(&self.url, response.permanent_url.as_ref()?)
    }

    /// The parts that every reading has.
    fn reading(&self, kind: ReadingKind, response: Option<&FetchResponse>) -> FeedReading {
        let state = &self.memory.state;
        FeedReading {
            kind,
            http_status: response.map(|response| response.status),
            final_url: response.map(|response| response.final_url.clone()),
            permanent_url: response.and_then(|response| response.permanent_url.clone()),
            document: None,
            applied: Applied::default(),
            error: None,
            next_attempt_at: state.next_attempt_at(),
            circuit: state.circuit(self.now, &self.reader.policy),
            requests: self.requests,
        }
    }
}
