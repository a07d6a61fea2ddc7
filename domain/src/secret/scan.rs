//! Where in a text the secrets are.

use std::ops::Range;

use super::encoding::{Unit, means, units};
use super::names::{Sensitivity, is_secret_header, sensitivity};
use super::path::Path;
use super::shape::{KEY_LENGTH, KEY_VALUE_LENGTH, Shape};

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

/// The name that was read last, for when a `=` or `:` follows.
#[derive(Debug)]
struct Name {
    bytes: [u8; LONGEST_NAME],
    length: usize,
    start: usize,
    end: usize,
    /// The character before it.
    lead: u8,
    /// The quotation mark before it.
    opener: Option<Range<usize>>,
    /// Blanks or a quotation mark follow it.
    blank: bool,
    quoted: bool,
}

/// A run of letters, digits and joints that may turn out to be a key.
#[derive(Debug, Default)]
struct Run {
    whole: Shape,
    start: usize,
    piece: Shape,
    piece_start: usize,
    end: usize,
    has_key: bool,
    /// Joints that count if the run goes on.
    joints: usize,
    /// A slash or question mark came before, so this is part of a URL or path.
    in_url: bool,
    /// `name=` came before.
    assigned: bool,
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
        let value = match sensitivity {
            Sensitivity::Harmless => return None,
            Sensitivity::WhenKeyLike => self.key_value(equals, name.blank)?,
            _ => self.value(equals.end, equals.level, name.blank, usize::MAX),
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
            Sensitivity::Word | Sensitivity::WhenKeyLike if !name.quoted => self.key_value(colon, true)?,
            Sensitivity::WhenKeyLike => self.key_value(colon, true)?,
            _ => self.value(colon.end, colon.level, true, usize::MAX),
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
                b'@' if outer => at_sign = Some(unit),
                b'/' | b'?' | b'#' | b'\\'
                    if outer && (!odd_port || at_sign.is_some() || count > LONGEST_USER_INFO) =>
                {
                    break;
                }
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

    /// The value after a sign, if it looks like a key.
    fn key_value(&self, sign: Unit, may_follow_blanks: bool) -> Option<Range<usize>> {
        let value = self.value(sign.end, sign.level, may_follow_blanks, LONGEST_KEY);
        let key = self.is_placeholder(&value) || self.shape(&value).is_some_and(|shape| shape.is_key(KEY_VALUE_LENGTH));
        key.then_some(value)
    }

    /// The value that begins at `from` and belongs to a name of that level; at most so many characters of it.
    fn value(&self, from: usize, level: u8, may_follow_blanks: bool, longest: usize) -> Range<usize> {
        let mut start = from;
        if may_follow_blanks && self.rules.running_text {
            start = units(self.text, from)
                .find(|unit| !matches!(unit.byte, b' ' | b'\t'))
                .map_or(self.text.len(), |unit| unit.start);
        }
        if let Some(quoted) = self.quoted(start) {
            return quoted;
        }
        // The brackets of a placeholder end nothing.
        let mut end = start + self.placeholder_at(start);
        for unit in units(self.text, end).take(longest) {
            if unit.level <= level && self.ends_value(unit) {
                break;
            }
            end = unit.end;
        }
        start..self.without_punctuation(start, end)
    }

    /// What stands in quotation marks, if the text goes on with one.
    fn quoted(&self, start: usize) -> Option<Range<usize>> {
        let opener = Unit::read(self.text, start).filter(|unit| matches!(unit.byte, b'"' | b'\''))?;
        if !self.rules.running_text && !self.name.quoted {
            return None;
        }
        Some(opener.end..self.closing(opener.end, opener.raw(self.text)))
    }

    /// Where the same quotation mark stands again, in the same encoding; the end of the line where it does not.
    fn closing(&self, from: usize, opener: &[u8]) -> usize {
        let stop = units(self.text, from).find(|unit| unit.raw(self.text) == opener || unit.byte == b'\n');
        stop.map_or(self.text.len(), |unit| unit.start)
    }

    /// The whole value of a header: to the closing quotation mark, or the end of the line.
    fn header_value(&self, from: usize) -> Range<usize> {
        let start = units(self.text, from).find(|unit| !matches!(unit.byte, b' ' | b'\t'));
        let start = start.map_or(self.text.len(), |unit| unit.start);
        if let Some(quoted) = self.quoted(start) {
            return quoted;
        }
        let opener = self.name.opener.clone().filter(|_| !self.name.quoted);
        let end = self.closing(start, opener.map_or(b"\n", |opener| &self.text[opener]));
        let trailing = self.text[start..end].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        start..end - trailing
    }

    fn ends_value(&self, unit: Unit) -> bool {
        match unit.byte {
            b'&' | b'#' => true,
            b';' => self.starts_parameter(unit.end),
            b',' | b'}' | b']' => self.name.quoted,
            _ => self.ends_text(unit),
        }
    }

    fn ends_text(&self, unit: Unit) -> bool {
        self.rules.running_text && matches!(unit.byte, 0..=b' ' | b'"' | b'\'' | b'<' | b'>' | b'`')
    }

    /// Whether `name=` stands here: only then does a `;` part two parameters.
    fn starts_parameter(&self, at: usize) -> bool {
        let mut units = units(self.text, at).take(LONGEST_NAME);
        units.find(|unit| !is_name_byte(unit.byte)).is_some_and(|unit| unit.byte == b'=' && unit.start > at)
    }

    /// Leaves the punctuation of the sentence around a value alone.
    fn without_punctuation(&self, start: usize, mut end: usize) -> usize {
        while self.rules.running_text
            && end > start
            && matches!(self.text[end - 1], b'.' | b',' | b':' | b'!' | b'?' | b')' | b'}' | b';')
        {
            end -= 1;
        }
        end
    }

    fn shape(&self, value: &Range<usize>) -> Option<Shape> {
        Shape::of(units(&self.text[..value.end], value.start).map(|unit| unit.byte))
    }

    /// The length of the placeholder that stands here, in whatever encoding; 0 if there is none.
    fn placeholder_at(&self, start: usize) -> usize {
        let mut wanted = PLACEHOLDER.bytes();
        for unit in units(self.text, start) {
            if wanted.next() != Some(unit.byte) {
                return 0;
            }
            if wanted.len() == 0 {
                return unit.end - start;
            }
        }
        0
    }

    fn is_placeholder(&self, value: &Range<usize>) -> bool {
        means(self.text, value.clone(), PLACEHOLDER.as_bytes())
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

    /// Judges the letters and digits since the last joint.
    fn end_piece(&mut self) {
        let range = self.run.piece_start..self.run.end;
        if (self.run.in_url || self.run.assigned)
            && self.run.piece.is_key(KEY_LENGTH)
            && !self.is_known_hash(range.start)
        {
            self.run.has_key = true;
            self.add_keys([Some(range), None]);
        }
        self.run.piece = Shape::default();
    }

    /// Judges a whole run, and begins the next one.
    fn end_run(&mut self, next: usize) {
        self.end_piece();
        let run = &self.run;
        if run.in_url && !run.has_key && run.whole.is_key(KEY_LENGTH) && !self.is_known_hash(run.start) {
            self.add_keys([Some(self.run.start..self.run.end), None]);
        }
        self.run = Run {
            in_url: self.run.in_url,
            assigned: self.run.assigned,
            start: next,
            piece_start: next,
            end: next,
            ..Run::default()
        };
    }

    /// Digests of public things stand after these words.
    fn is_known_hash(&self, start: usize) -> bool {
        let before = &self.text[start.saturating_sub(LONGEST_HASH_WORD)..start];
        let before = before
            .strip_suffix(b"\\/")
            .or_else(|| before.strip_suffix(b"/"))
            .or_else(|| before.strip_suffix(b":"))
            .or_else(|| before.strip_suffix(b"="));
        before.is_some_and(|before| HASH_WORDS.iter().any(|word| before.ends_with(word)))
    }
}

impl Default for Name {
    fn default() -> Self {
        let bytes = [0; LONGEST_NAME];
        Self { bytes, length: 0, start: 0, end: 0, lead: 0, opener: None, blank: false, quoted: false }
    }
}

impl Name {
    fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The name; of a long one the end, which says what it is.
    fn bytes(&self) -> &[u8] {
        &self.bytes[..self.length]
    }

    /// Reads a character that is neither `=` nor `:`, or one that ended nothing.
    fn push(&mut self, unit: Unit) {
        match unit.byte {
            byte if is_name_byte(byte) => {
                if self.blank || self.quoted {
                    self.begin(b' ', None);
                }
                if self.is_empty() {
                    self.start = unit.start;
                }
                if self.length == LONGEST_NAME {
                    self.bytes.copy_within(LONGEST_NAME / 2.., 0);
                    self.length = LONGEST_NAME / 2;
                }
                self.bytes[self.length] = byte;
                self.length += 1;
                self.end = unit.end;
            }
            b' ' | b'\t' if !self.is_empty() => self.blank = true,
            b'"' | b'\'' if !self.is_empty() && self.opener.is_some() && !self.blank => self.quoted = true,
            b'"' | b'\'' => self.begin(unit.byte, Some(unit.start..unit.end)),
            byte => self.begin(byte, None),
        }
    }

    fn begin(&mut self, lead: u8, opener: Option<Range<usize>>) {
        self.length = 0;
        (self.lead, self.opener, self.blank, self.quoted) = (lead, opener, false, false);
    }
}

impl Run {
    fn push(&mut self, unit: Unit) {
        if self.whole.length() == 0 {
            self.start = unit.start;
        }
        if self.piece.length() == 0 {
            self.piece_start = unit.start;
        }
        if self.whole.length() > 0 {
            self.whole.join(self.joints);
        }
        self.joints = 0;
        self.whole.push(unit.byte);
        self.piece.push(unit.byte);
        self.end = unit.end;
    }

    /// Takes note of a character between two runs.
    fn follow(&mut self, byte: u8) {
        match byte {
            b'/' | b'?' => self.in_url = true,
            b'=' => self.assigned = true,
            b'"' | b'\'' | b'<' | b'>' | 0..=b' ' => (self.in_url, self.assigned) = (false, false),
            b'&' | b';' => self.assigned = false,
            _ => {}
        }
    }
}

fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b'[' | b']')
}

const LONGEST_NAME: usize = 64;

/// A user name and password with a stray slash in it are looked for so far.
const LONGEST_USER_INFO: usize = 256;

/// Longer values are no keys.
const LONGEST_KEY: usize = 512;

const LONGEST_HASH_WORD: usize = 12;

const HASH_WORDS: &[&[u8]] = &[
    b"commit",
    b"commits",
    b"blob",
    b"tree",
    b"raw",
    b"btih",
    b"sha1",
    b"sha256",
    b"revision",
    b"compare",
    b"digest",
    b"hash",
    b"etag",
];
