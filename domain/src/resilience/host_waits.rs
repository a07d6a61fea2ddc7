//! Which hosts asked to be left alone, and until when.

use std::collections::HashMap;

use jiff::Timestamp;

/// Remembers the waits that hosts asked for, so that one feed's 429 holds for its neighbours.
///
/// Bounded: waits that are over are dropped, and at [`MAX_HOSTS`] the one that ends first makes room.
#[derive(Debug, Default)]
pub struct HostWaits(HashMap<String, Timestamp>);

impl HostWaits {
    /// The moment before which the host wants no request, if that lies ahead.
    pub fn until(&self, host: &str, now: Timestamp) -> Option<Timestamp> {
        self.0.get(host).copied().filter(|until| *until > now)
    }

    /// A host asked to wait; a wait never becomes shorter.
    pub fn on_wait(&mut self, host: &str, until: Timestamp, now: Timestamp) {
        if self.0.len() >= MAX_HOSTS && !self.0.contains_key(host) {
            self.make_room(now);
        }
        let entry = self.0.entry(host.to_owned()).or_insert(until);
        *entry = until.max(*entry);
    }

    fn make_room(&mut self, now: Timestamp) {
        self.0.retain(|_, until| *until > now);
        if self.0.len() >= MAX_HOSTS
            && let Some(first) = self.0.iter().min_by_key(|(_, until)| **until).map(|(host, _)| host.clone())
        {
            self.0.remove(&first);
        }
    }
}

/// So many hosts are remembered.
pub const MAX_HOSTS: usize = 10_000;
