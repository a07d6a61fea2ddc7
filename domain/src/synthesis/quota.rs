//! Which articles are kept: quotas of topics, caps of sources, and room for many voices.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};

use jiff::Timestamp;

/// How many articles may be kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// For each topic; none is no limit.
    pub topics: Vec<Option<usize>>,
    /// From one source.
    pub source: Option<usize>,
    /// In the whole run.
    pub run: Option<usize>,
}

/// An article that fits a topic and asks to be kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contender {
    /// The index of its topic.
    pub topic: usize,
    /// The number of its source, in source order.
    pub source: usize,
    /// How well it fits.
    pub score: f64,
    /// When it was published.
    pub published_at: Option<Timestamp>,
}

/// What becomes of a contender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Admission {
    /// It is kept.
    Kept,
    /// Its topic has all that was asked for.
    TopicFull,
    /// Its source has given as many as one source may.
    SourceFull,
    /// The run has as many as it may.
    RunFull,
}

/// What was kept so far, wave after wave.
///
/// Feed it the waves in order with [`admit`](Self::admit); ask [`are_met`](Self::are_met) after each whether another one
/// is needed. The same waves give the same outcome.
#[derive(Debug, Clone)]
pub struct Quotas {
    limits: Limits,
    by_topic: Vec<usize>,
    by_source: BTreeMap<usize, usize>,
    by_both: BTreeMap<(usize, usize), i32>,
    kept: usize,
}

impl Quotas {
    /// Nothing is kept yet. Without topics there is one nameless topic.
    pub fn new(mut limits: Limits) -> Self {
        if limits.topics.is_empty() {
            limits.topics.push(None);
        }
        let by_topic = vec![0; limits.topics.len()];
        Self { limits, by_topic, by_source: BTreeMap::new(), by_both: BTreeMap::new(), kept: 0 }
    }

    /// Decides on the contenders of one wave, best first, and gives what becomes of each, in the given order.
    ///
    /// Each article that a source already has in a topic lowers the next one's score by a tenth, so that of articles of
    /// about the same worth those of other sources come first. Ties go to the newer, then to the earlier in source order.
    /// A contender whose topic does not exist counts as one without room.
    pub fn admit(&mut self, wave: &[Contender]) -> Vec<Admission> {
        let mut admissions = vec![Admission::TopicFull; wave.len()];
        let mut queues = self.queues(wave);
        let mut heads: BinaryHeap<Head> =
            queues.iter_mut().filter_map(|(pair, queue)| self.head(*pair, queue)).collect();
        while let Some(head) = heads.pop() {
            admissions[head.index] = self.decide(head.topic, head.source);
            let pair = (head.topic, head.source);
            if let Some(next) = queues.get_mut(&pair).and_then(|queue| self.head(pair, queue)) {
                heads.push(next);
            }
        }
        admissions
    }

    /// Whether nothing more can be kept: the run is full, or every topic has a quota and is full.
    pub fn are_met(&self) -> bool {
        self.run_is_full() || (0..self.by_topic.len()).all(|topic| self.topic_is_full(topic))
    }

    /// The topics that have fewer than their quota, or nothing at all where they have none.
    pub fn unmet(&self) -> Vec<usize> {
        let wanted = self.limits.topics.iter().map(|quota| quota.unwrap_or(1));
        wanted
            .zip(&self.by_topic)
            .enumerate()
            .filter(|(_, (wanted, kept))| *kept < wanted)
            .map(|(topic, _)| topic)
            .collect()
    }

    /// The articles of each topic and source, best last.
    fn queues(&self, wave: &[Contender]) -> BTreeMap<(usize, usize), Vec<Head>> {
        let mut queues: BTreeMap<(usize, usize), Vec<Head>> = BTreeMap::new();
        for (index, contender) in wave.iter().enumerate().filter(|(_, known)| known.topic < self.by_topic.len()) {
            let Contender { topic, source, score, published_at } = *contender;
            let head = Head { worth: score, published_at, index, topic, source };
            queues.entry((topic, source)).or_default().push(head);
        }
        queues.values_mut().for_each(|queue| queue.sort());
        queues
    }

    /// The best article of a queue, with its worth after what its source already has.
    fn head(&self, pair: (usize, usize), queue: &mut Vec<Head>) -> Option<Head> {
        let taken = self.by_both.get(&pair).copied().unwrap_or(0);
        queue.pop().map(|head| Head { worth: head.worth * DIVERSITY.powi(taken), ..head })
    }

    fn decide(&mut self, topic: usize, source: usize) -> Admission {
        if self.run_is_full() {
            return Admission::RunFull;
        }
        if self.topic_is_full(topic) {
            return Admission::TopicFull;
        }
        let of_source = self.by_source.entry(source).or_default();
        if self.limits.source.is_some_and(|limit| *of_source >= limit) {
            return Admission::SourceFull;
        }
        *of_source += 1;
        *self.by_both.entry((topic, source)).or_default() += 1;
        self.by_topic[topic] += 1;
        self.kept += 1;
        Admission::Kept
    }

    fn run_is_full(&self) -> bool {
        self.limits.run.is_some_and(|limit| self.kept >= limit)
    }

    fn topic_is_full(&self, topic: usize) -> bool {
        self.limits.topics[topic].is_some_and(|quota| self.by_topic[topic] >= quota)
    }
}

/// An article in a queue; the greatest is the best.
#[derive(Debug, Clone, Copy)]
struct Head {
    worth: f64,
    published_at: Option<Timestamp>,
    index: usize,
    topic: usize,
    source: usize,
}

impl Ord for Head {
    fn cmp(&self, other: &Self) -> Ordering {
        let worth = self.worth.total_cmp(&other.worth);
        worth.then(self.published_at.cmp(&other.published_at)).then(other.index.cmp(&self.index))
    }
}

impl PartialOrd for Head {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Head {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Head {}

/// What is left of a score for each article that the source already has in the topic.
const DIVERSITY: f64 = 0.9;

#[cfg(test)]
mod tests;
