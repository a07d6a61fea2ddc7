//! Where in a path a key stands, in the forms that trackers are known to use.

use std::ops::Range;

use super::encoding::Unit;
use super::shape::{KEY_VALUE_LENGTH, Shape};

/// The last segments of a path while it is read, and the rules of where keys stand in it.
#[derive(Debug, Default)]
pub(super) struct Path {
    /// The segment being read, then those before it, nearest first.
    segments: [Segment; 4],
}

#[derive(Debug, Clone, Copy, Default)]
struct Segment {
    start: usize,
    end: usize,
    length: usize,
    word: [u8; LONGEST_WORD],
    /// Letters, digits and joints since the last dot.
    tail: Shape,
    tail_start: usize,
    /// What stood before the last dot, if there was only one.
    stem: Option<(Shape, usize)>,
    dots: usize,
    strange: bool,
}

impl Path {
    /// Reads one character, and gives the keys of a segment that ends with it.
    pub(super) fn push(&mut self, unit: Unit) -> [Option<Range<usize>>; 2] {
        match unit.byte {
            b'/' => {
                let keys = self.keys();
                self.segments.rotate_right(1);
                self.segments[0] = Segment::at(unit.end);
                keys
            }
            b'?' | b'#' | b'&' | b'=' | b';' | b'"' | b'\'' | b'<' | b'>' | b'`' | 0..=b' ' => self.finish(unit.end),
            _ => {
                self.segments[0].push(unit);
                [None, None]
            }
        }
    }

    /// Ends the path, and gives the keys of its last segment; the next one begins at `next`.
    pub(super) fn finish(&mut self, next: usize) -> [Option<Range<usize>>; 2] {
        let keys = self.keys();
        self.segments = [Segment::at(next), Segment::default(), Segment::default(), Segment::default()];
        keys
    }

    /// Begins the present segment anew.
    pub(super) fn restart(&mut self, at: usize) {
        self.segments[0] = Segment::at(at);
    }

    /// The keys that are known once the present segment has ended.
    fn keys(&self) -> [Option<Range<usize>>; 2] {
        let [segment, parent, second, third] = &self.segments;
        if segment.is(ANNOUNCE) || segment.is(SCRAPE) {
            let parent_is_host = second.length == 0 && third.length > 0;
            let key = (!parent_is_host && parent.may_be_key()).then(|| parent.range());
            return [key, None];
        }
        if parent.is(ANNOUNCE) {
            return [segment.may_be_key().then(|| segment.range()), None];
        }
        if parent.is(DOWNLOAD) && second.is_number() && (third.is("torrent") || third.is("torrents")) {
            return [segment.is_plain().then(|| segment.range()), None];
        }
        if second.is(DOWNLOAD) && third.is("rss") {
            return Self::feed_download(segment, parent);
        }
        if KEY_WORDS[NAMES_FROM..].iter().any(|name| parent.is(name)) {
            return [segment.may_be_key().then(|| segment.range()), None];
        }
        if segment.is_auto() {
            return [Some(segment.tail_start..segment.end), None];
        }
        let beside_file = segment.is_torrent() && parent.dots == 0 && parent.is_key(KEY_VALUE_LENGTH);
        [beside_file.then(|| parent.range()), None]
    }

    /// `/rss/download/12345/KEY/name.torrent` and `/rss/download/KEY/KEY.torrent`.
    fn feed_download(segment: &Segment, parent: &Segment) -> [Option<Range<usize>>; 2] {
        if parent.is_number() {
            return [segment.is_plain().then(|| segment.range()), None];
        }
        let key = parent.may_be_key().then(|| parent.range());
        let stem = segment.stem.filter(|(stem, _)| segment.is_torrent() && stem.may_be_key());
        let file = stem.map(|(_, end)| segment.start..end).or_else(|| segment.may_be_key().then(|| segment.range()));
        [key, file]
    }
}

impl Segment {
    fn at(start: usize) -> Self {
        Self { start, end: start, tail_start: start, ..Self::default() }
    }

    fn push(&mut self, unit: Unit) {
        if let Some(place) = self.word.get_mut(self.length) {
            *place = unit.byte.to_ascii_lowercase();
        }
        self.length += 1;
        self.end = unit.end;
        if unit.byte == b'.' {
            self.dots += 1;
            self.stem = (self.dots == 1 && !self.strange).then_some((self.tail, unit.start));
            self.tail = Shape::default();
            self.tail_start = unit.end;
        } else if !self.tail.push(unit.byte) {
            self.strange = true;
        }
    }

    fn is(&self, word: &str) -> bool {
        self.length == word.len() && self.word[..self.length] == *word.as_bytes()
    }

    fn range(&self) -> Range<usize> {
        self.start..self.end
    }

    /// Letters, digits and joints only.
    fn is_plain(&self) -> bool {
        self.dots == 0 && !self.strange && self.tail.length() > 0
    }

    fn is_number(&self) -> bool {
        self.is_plain() && self.tail.is_number()
    }

    fn may_be_key(&self) -> bool {
        self.is_plain() && self.tail.may_be_key()
    }

    fn is_key(&self, shortest: usize) -> bool {
        self.is_plain() && self.tail.is_key(shortest)
    }

    /// `auto.343.KEY`.
    fn is_auto(&self) -> bool {
        self.word.starts_with(b"auto.") && self.dots >= 2 && !self.strange && self.tail.may_be_key()
    }

    fn is_torrent(&self) -> bool {
        self.dots > 0 && !self.strange && self.tail.length() == 7 && self.ends_with_torrent()
    }

    /// The word holds the beginning of a segment only; the end of a long one is known by its shape.
    fn ends_with_torrent(&self) -> bool {
        let tail = b".torrent";
        self.length > LONGEST_WORD || self.word[..self.length].ends_with(tail)
    }
}

const ANNOUNCE: &str = "announce";
const SCRAPE: &str = "scrape";
const DOWNLOAD: &str = "download";

/// The segments that keys stand beside; from [`NAMES_FROM`] on those that name the next one.
pub(super) const KEY_WORDS: [&str; 9] =
    [ANNOUNCE, SCRAPE, DOWNLOAD, "passkey", "authkey", "apikey", "api_key", "rsskey", "torrent_pass"];

const NAMES_FROM: usize = 3;

/// Longer segments are compared by their beginning only.
const LONGEST_WORD: usize = 24;
