//! Where in a text the secrets are.

mod name;
mod run;
mod value;

use std::ops::Range;

use self::name::Name;
use self::run::Run;
use self::value::Blanks;
use super::encoding::{Unit, means, units};
use super::names::{Sensitivity, is_secret_header, sensitivity};
use super::path::Path;
use super::shape::KEY_LENGTH;

/// What kind of text is searched, and how strictly.
#[derive(Debug, Clone, Copy)]
pub(super) struct Rules {
    /// Blanks, quotes and angle brackets end a value; headers and `name: value` are looked for.
    pub(super) running_text: bool,
    /// Parameters count outside URLs too.
    pub(super) bare: bool,
    /// Whatever looks like a key is taken for one, wherever it stands in a URL.
    pub(super) keys: bool,
    /// Placeholders are found, instead of secrets.
    pub(super) placeholders: bool,
}

/// A secret.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    /// The bytes to take out.
    pub(super) range: Range<usize>,
    /// What they are.
    pub(super) kind: Kind,
}

/// What a secret is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// The value of a parameter or field, with where its name stands and how deep it is percent-encoded.
    Value { name: Range<usize>, level: u8 },
    /// `user:password@`: taken out without a trace.
    UserInfo,
    /// A part of a path, or something that looks like a key.
    Key,
}

/// Finds the secrets of a text, in order and without overlaps. One pass; nothing is allocated where nothing is found.
pub(super) fn find(text: &str, rules: Rules) -> Vec<Finding> {
    let mut scan = Scan {
        text: text.as_bytes(),
        rules,
        name: Name::default(),
        path: Path::default(),
        run: Run::default(),
        found: Vec::new(),
    };
    scan.whole();
    let mut found = scan.found;
    found.sort_by_key(|finding| (finding.range.start, std::cmp::Reverse(finding.range.end)));
    let mut end = 0;
    found.retain(|finding| {
        let apart = finding.range.start >= end;
        end = end.max(finding.range.end);
        apart
    });
    found
}

/// The text of a placeholder.
pub(super) const PLACEHOLDER: &str = "[REDACTED]";

struct Scan<'t> {
    text: &'t [u8],
    rules: Rules,
    name: Name,
    path: Path,
    run: Run,
    found: Vec<Finding>,
}

impl Scan<'_> {
    fn whole(&mut self) {
        let (mut at, mut slash, mut before) = (0, false, b' ');
        while let Some(unit) = Unit::read(self.text, at) {
            at = unit.end;
            self.watch(unit);
            let skip = match unit.byte {
                b'=' => self.parameter(unit),
                b':' => self.field(unit),
                b' ' | b'\t' => self.scheme_word(unit),
                b'/' if slash && matches!(before, b':' | b'=' | b'"' | b'\'' | 0..=b' ') => self.user_info(unit),
                _ => None,
            };
            if unit.byte != b'/' {
                before = unit.byte;
            }
            slash = unit.byte == b'/' && !slash;
            match skip {
                // What follows user information is read as if it had never been there.
                Some(end) if unit.byte == b'/' => {
                    at = end;
                    self.name.begin(b'/', None);
                    self.path.restart(end);
                    self.end_run(end);
                }
                Some(end) => {
                    at = end;
                    self.name = Name::default();
                    self.end_run(end);
                    self.end_path(end);
                    (slash, before) = (false, b'x');
                }
                None => self.name.push(unit),
            }
        }
        self.end_run(self.text.len());
        self.end_path(self.text.len());
    }

    /// Lets paths and keys see a character.
    fn watch(&mut self, unit: Unit) {
        let keys = self.path.push(unit);
        self.add_keys(keys);
        if !self.rules.keys {
            return;
        }
        match unit.byte {
            b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => self.run.push(unit),
            b'-' | b'_' => {
                self.end_piece();
                self.run.joints += 1;
            }
            _ => {
                self.end_run(unit.end);
                self.run.follow(unit.byte);
            }
        }
    }

    /// `name=value`, at its `=`.
    fn parameter(&mut self, equals: Unit) -> Option<usize> {
        let name = &self.name;
        let in_url = matches!(name.lead, b'?' | b'&' | b';' | b'#');
        if name.is_empty() || (name.blank && !self.rules.running_text) || !(in_url || self.rules.bare) {
            return None;
        }
        let sensitivity = sensitivity(name.bytes());
        let process_id = self.rules.running_text && !in_url && name.bytes().eq_ignore_ascii_case(b"pid");
        let blanks = if name.blank { Blanks::Allowed } else { Blanks::None };
        let value = match sensitivity {
            Sensitivity::Harmless => return None,
            Sensitivity::WhenKeyLike => self.key_value(equals, blanks)?,
            _ => self.value(equals.end, equals.level, blanks),
        };
        if process_id && self.shape(&value).is_some_and(|shape| shape.is_number()) {
            return None;
        }
        self.add_value(value, equals.level)
    }

    /// `name: value` and `"name": "value"`, at the colon: headers whole, fields by name.
    fn field(&mut self, colon: Unit) -> Option<usize> {
        let name = &self.name;
        if name.is_empty() || !self.rules.bare || (!self.rules.running_text && !name.quoted) {
            return None;
        }
        if self.rules.running_text && is_secret_header(name.bytes()) {
            let value = self.header_value(colon.end);
            return self.add_value(value, colon.level);
        }
        let value = match sensitivity(name.bytes()) {
            Sensitivity::Harmless => return None,
            Sensitivity::Word | Sensitivity::WhenKeyLike if !name.quoted => self.key_value(colon, Blanks::Allowed)?,
            Sensitivity::WhenKeyLike => self.key_value(colon, Blanks::Allowed)?,
            _ => self.value(colon.end, colon.level, Blanks::Allowed),
        };
        if means(self.text, value.clone(), b"null") { None } else { self.add_value(value, colon.level) }
    }

    /// `Bearer value` and `Basic value`, at the blank.
    fn scheme_word(&mut self, blank: Unit) -> Option<usize> {
        let scheme = [&b"bearer"[..], b"basic"].iter().any(|word| self.name.bytes().eq_ignore_ascii_case(word));
        if !scheme || !self.rules.running_text || !self.rules.bare || self.name.blank {
            return None;
        }
        let mut mixed = false;
        let (mut end, mut length) = (blank.end, 0);
        for unit in units(self.text, blank.end) {
            match unit.byte {
                b'a'..=b'z' => {}
                b'A'..=b'Z' => mixed |= length > 0,
                b'0'..=b'9' | b'+' | b'/' | b'=' | b'_' | b'~' => mixed = true,
                b'.' | b'-' => {}
                _ => break,
            }
            (end, length) = (unit.end, length + 1);
        }
        if length < 6 || !(mixed || length >= KEY_LENGTH) {
            return None;
        }
        self.add_value(blank.end..end, blank.level)
    }

    /// `//user:password@`, at the second slash.
    fn user_info(&mut self, slash: Unit) -> Option<usize> {
        let (mut at_sign, mut odd_port, mut after_colon) = (None, false, false);
        for (count, unit) in units(self.text, slash.end).enumerate() {
            let outer = unit.level <= slash.level;
            match unit.byte {
                // What follows is the host after all.
                b'@' if outer => (at_sign, odd_port, after_colon) = (Some(unit), false, false),
                b'/' | b'?' | b'#' | b'\\' if outer && (!odd_port || count > LONGEST_USER_INFO) => break,
                _ if outer && self.ends_text(unit) => break,
                b'[' if count == 0 => break,
                byte => {
                    odd_port |= after_colon && outer && !byte.is_ascii_digit() && byte != b'/';
                    after_colon |= byte == b':' && outer;
                }
            }
        }
        let range = slash.end..at_sign?.end;
        if range.len() == 1 || self.rules.placeholders {
            return None;
        }
        let end = range.end;
        self.found.push(Finding { range, kind: Kind::UserInfo });
        Some(end)
    }

    /// Notes a value, and says where to go on.
    fn add_value(&mut self, range: Range<usize>, level: u8) -> Option<usize> {
        let end = range.end;
        if !range.is_empty() && self.is_placeholder(&range) == self.rules.placeholders {
            let name = self.name.start..self.name.end;
            self.found.push(Finding { range, kind: Kind::Value { name, level } });
        }
        Some(end)
    }

    fn add_keys(&mut self, keys: [Option<Range<usize>>; 2]) {
        if !self.rules.placeholders {
            self.found.extend(keys.into_iter().flatten().map(|range| Finding { range, kind: Kind::Key }));
        }
    }

    fn end_path(&mut self, next: usize) {
        let keys = self.path.finish(next);
        self.add_keys(keys);
    }
}

/// A user name and password with a stray slash in it are looked for so far.
const LONGEST_USER_INFO: usize = 256;
