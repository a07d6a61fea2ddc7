//! A reader over a fetcher that answers by script and remembers what it was asked.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use bytes::Bytes;
use headwater_adapters_xml::XmlFeedParser;
use headwater_connectors::rss::{FeedMemory, FeedReader, FeedReading, FeedRequest};
use headwater_domain::ErrorKind;
use headwater_domain::feed::WarningCode;
use headwater_domain::feed::reader_policy::ReaderPolicy;
use headwater_domain::secret::PrivateUrl;
use headwater_ports::{Error, Exchange, FetchRequest, FetchResponse, Fetcher, Header, Headers};
use headwater_tests::fakes::FakeClock;
use jiff::SignedDuration;
use url::Url;

/// A reader of one feed, with its memory and a clock that tests move.
pub struct Kit {
    script: Arc<Script>,
    clock: Arc<FakeClock>,
    policy: ReaderPolicy,
    reader: Arc<FeedReader>,
    memory: FeedMemory,
    headers: Vec<Header>,
}

/// Answers in turn.
pub struct Script {
    answers: Mutex<VecDeque<Answer>>,
    asked: Mutex<Vec<Asked>>,
}

/// A request that was made.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Where, secrets included.
    pub url: String,
    headers: Vec<Header>,
}

/// A response to give.
#[derive(Debug, Clone)]
pub struct Answer {
    status: u16,
    headers: Headers,
    body: String,
    permanent_url: Option<Url>,
    hangs: bool,
    is_cut: bool,
}

impl Kit {
    /// A reader with default settings.
    pub fn new(script: Script) -> Self {
        Self::with_policy(script, ReaderPolicy::default())
    }

    /// A reader with other settings.
    pub fn with_policy(script: Script, policy: ReaderPolicy) -> Self {
        let (script, clock) = (Arc::new(script), Arc::new(FakeClock::default()));
        let reader = reader(&script, &clock, &policy);
        Self { script, clock, policy, reader, memory: FeedMemory::default(), headers: Vec::new() }
    }

    /// Another feed of the same reader.
    pub fn neighbour(&self) -> Self {
        let (script, clock, reader) = (Arc::clone(&self.script), Arc::clone(&self.clock), Arc::clone(&self.reader));
        Self { script, clock, policy: self.policy.clone(), reader, memory: FeedMemory::default(), headers: Vec::new() }
    }

    /// A new process: only the memory lives on, as it is stored.
    pub fn restart(&mut self) {
        self.memory = FeedMemory::from_json(&self.memory.to_json()).expect("a memory that was stored can be read");
        self.reader = reader(&self.script, &self.clock, &self.policy);
    }

    /// Adds a header of the user's own.
    pub fn header(&mut self, name: &str, value: &str) {
        self.headers.extend(self.request("https://feed.example/").with_header(name, value).headers);
    }

    /// Makes one attempt.
    pub async fn read(&mut self, url: &str) -> FeedReading {
        let (reading, memory) = self.reader.read(&self.request(url), self.memory.clone()).await;
        self.memory = memory;
        reading
    }

    /// Moves the clock.
    pub fn sleep(&self, seconds: i64) {
        self.clock.advance(SignedDuration::from_secs(seconds));
    }

    /// What was asked so far.
    pub fn requests(&self) -> Vec<Asked> {
        self.script.asked.lock().expect("no test panics while it holds the lock").clone()
    }

    /// What is kept of the feed.
    pub fn memory(&self) -> &FeedMemory {
        &self.memory
    }

    /// The same, to change it by hand.
    pub fn memory_mut(&mut self) -> &mut FeedMemory {
        &mut self.memory
    }

    fn request(&self, url: &str) -> FeedRequest {
        FeedRequest { headers: self.headers.clone(), ..FeedRequest::new(private(url)) }
    }
}

impl Script {
    /// No answers yet.
    pub fn new() -> Self {
        Self { answers: Mutex::default(), asked: Mutex::default() }
    }

    /// One more answer.
    pub fn then(mut self, answer: Answer) -> Self {
        self.answers.get_mut().expect("nobody else has it yet").push_back(answer);
        self
    }
}

impl Answer {
    /// Adds a header; its characters are its bytes where it is ASCII.
    pub fn with(mut self, name: &str, value: &str) -> Self {
        self.headers.append(name, value.as_bytes());
        self
    }

    /// The transfer breaks off after what there is.
    pub fn cut(mut self) -> Self {
        self.is_cut = true;
        self
    }

    /// As if it never came.
    pub fn hanging(mut self) -> Self {
        self.hangs = true;
        self
    }

    /// As if permanent redirects had led there.
    pub fn permanently(mut self, url: &str) -> Self {
        self.permanent_url = Some(url.parse().expect("a URL"));
        self
    }
}

impl Asked {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<Vec<u8>> {
        let found = self.headers.iter().find(|header| header.name.eq_ignore_ascii_case(name));
        found.map(|header| header.value.expose().clone())
    }
}

#[async_trait]
impl Fetcher for Script {
    async fn fetch(&self, request: FetchRequest) -> Exchange {
        let asked = Asked { url: request.url.expose().to_string(), headers: request.headers.clone() };
        self.asked.lock().expect("no test panics while it holds the lock").push(asked);
        let answer = self.answers.lock().expect("no test panics while it holds the lock").pop_front();
        if answer.as_ref().is_some_and(|answer| answer.hangs) {
            std::future::pending::<()>().await;
        }
        let outcome = match answer {
            None => Err(Error::new(ErrorKind::Connect, "answer", "the script has no more answers")),
            Some(answer) => Ok(FetchResponse {
                status: answer.status,
                final_url: answer.permanent_url.clone().map_or(request.url, PrivateUrl::new),
                permanent_url: answer.permanent_url.map(PrivateUrl::new),
                headers: answer.headers,
                body: Bytes::from(answer.body),
                body_cut: answer.is_cut,
            }),
        };
        Exchange { requests: 1, outcome }
    }
}

/// A response.
pub fn reply(status: u16, body: &str) -> Answer {
    Answer {
        status,
        headers: Headers::default(),
        body: body.to_owned(),
        permanent_url: None,
        hangs: false,
        is_cut: false,
    }
}

/// An RSS feed with items of these guids.
pub fn rss(guids: &[&str]) -> String {
    let item = |guid: &&str| format!("<item><title>{guid}</title><guid isPermaLink='false'>{guid}</guid></item>");
    let items: String = guids.iter().map(item).collect();
    format!("<rss version='2.0'><channel><title>F</title>{items}</channel></rss>")
}

/// An Atom feed with entries of these ids, and a next page unless that is empty.
pub fn atom(ids: &[&str], next: &str) -> String {
    let entry = |id: &&str| format!("<entry><id>urn:{id}</id><title>{id}</title></entry>");
    let entries: String = ids.iter().map(entry).collect();
    let next = if next.is_empty() { String::new() } else { format!("<link rel='next' href='{next}'/>") };
    format!("<feed xmlns='http://www.w3.org/2005/Atom'><title>F</title><id>urn:f</id>{next}{entries}</feed>")
}

/// The codes of a reading's warnings.
pub fn codes(reading: &FeedReading) -> Vec<WarningCode> {
    let document = reading.document.as_ref().expect("a document was read");
    document.warnings.iter().map(|warning| warning.code).collect()
}

fn reader(script: &Arc<Script>, clock: &Arc<FakeClock>, policy: &ReaderPolicy) -> Arc<FeedReader> {
    let (fetcher, clock) = (Arc::clone(script), Arc::clone(clock));
    Arc::new(FeedReader::new(fetcher, Arc::new(XmlFeedParser), clock, policy.clone()))
}

fn private(url: &str) -> PrivateUrl {
    PrivateUrl::new(url.parse().expect("a URL"))
}
