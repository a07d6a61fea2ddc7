//! What was mended, gathered into one warning for each kind of fault.

use headwater_domain::feed::{Warning, WarningCode};

/// One entry for each kind: how often, and where first.
#[derive(Default)]
pub(super) struct Notes(Vec<Note>);

struct Note {
    code: WarningCode,
    what: &'static str,
    count: usize,
    line: usize,
}

impl Notes {
    /// Notes a fault at a place in the text.
    pub(super) fn add(&mut self, code: WarningCode, at: usize, text: &str, what: &'static str) {
        if let Some(note) = self.0.iter_mut().find(|note| note.code == code && note.what == what) {
            note.count += 1;
            return;
        }
        let before = &text.as_bytes()[..at.min(text.len())];
        let line = 1 + memchr::memchr_iter(b'\n', before).count();
        self.0.push(Note { code, what, count: 1, line });
    }

    pub(super) fn into_warnings(self) -> Vec<Warning> {
        self.0.into_iter().map(Note::into_warning).collect()
    }
}

impl Note {
    fn into_warning(self) -> Warning {
        let detail = match self.count {
            1 => format!("{} (line {})", self.what, self.line),
            count => format!("{} ({count} times, first on line {})", self.what, self.line),
        };
        Warning { code: self.code, detail, item: None }
    }
}
