//! What goes wrong at the stand-in, by script.

use std::collections::HashSet;

use crate::server::Reply;

/// Requests to which something else is answered than the truth.
#[derive(Debug, Clone)]
pub struct Fault {
    /// Words of the request: its method, its target and its body, with a blank between.
    pub words: String,
    /// How many of them; then all is well again.
    pub times: usize,
    /// What happens.
    pub trouble: Trouble,
}

/// What happens instead of an answer.
#[derive(Debug, Clone)]
pub enum Trouble {
    /// An error of the service: status and code.
    Refused(u16, &'static str),
    /// 429 with `Retry-After` of so many seconds.
    Throttled(u32),
    /// 400 with these words.
    Invalid(&'static str),
    /// Something that is not of the service at all.
    Foreign(Reply),
}

/// What is wrong for as long as it is so.
#[derive(Debug, Default)]
pub(super) struct Wrongs {
    pub(super) faults: Vec<Fault>,
    /// Listings that come back to their first page.
    pub(super) loops: HashSet<String>,
    /// Listings that claim to be empty.
    pub(super) empty: HashSet<String>,
    /// What the search does not list.
    pub(super) unlisted: HashSet<String>,
    /// The token is refused.
    pub(super) is_token_refused: bool,
    /// How many requests one cursor of the search lives.
    pub(super) cursor_life: Option<usize>,
}

impl Wrongs {
    /// The trouble that a request meets, which is then used up once.
    pub(super) fn trouble(&mut self, request: &str) -> Option<Trouble> {
        let fault = self.faults.iter_mut().find(|fault| fault.times > 0 && request.contains(&fault.words))?;
        fault.times -= 1;
        Some(fault.trouble.clone())
    }
}
