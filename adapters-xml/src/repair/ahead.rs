//! Where the next end of something is, remembered so that no search is made twice over the same text.

use memchr::memmem;

/// The next place of each thing that is searched for, at or after a place that only grows.
pub(super) struct Ahead<'a> {
    text: &'a [u8],
    cdata_start: Next,
    cdata_end: Next,
    comment_end: Next,
    tag_end: Next,
    double_quote: Next,
    single_quote: Next,
}

/// The last answer: from where it was asked, and what was found.
#[derive(Default, Clone, Copy)]
struct Next {
    asked: Option<usize>,
    found: Option<usize>,
}

impl<'a> Ahead<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let next = Next::default();
        Self {
            text: text.as_bytes(),
            cdata_start: next,
            cdata_end: next,
            comment_end: next,
            tag_end: next,
            double_quote: next,
            single_quote: next,
        }
    }

    pub(super) fn cdata_start(&mut self, from: usize) -> Option<usize> {
        self.cdata_start.find(self.text, from, b"<![CDATA[")
    }

    pub(super) fn cdata_end(&mut self, from: usize) -> Option<usize> {
        self.cdata_end.find(self.text, from, b"]]>")
    }

    pub(super) fn comment_end(&mut self, from: usize) -> Option<usize> {
        self.comment_end.find(self.text, from, b"-->")
    }

    pub(super) fn tag_end(&mut self, from: usize) -> Option<usize> {
        self.tag_end.find(self.text, from, b">")
    }

    pub(super) fn quote(&mut self, quote: u8, from: usize) -> Option<usize> {
        if quote == b'"' {
            self.double_quote.find(self.text, from, b"\"")
        } else {
            self.single_quote.find(self.text, from, b"'")
        }
    }
}

impl Next {
    fn find(&mut self, text: &[u8], from: usize, what: &[u8]) -> Option<usize> {
        let known = self.asked.is_some_and(|asked| asked <= from) && self.found.is_none_or(|found| from <= found);
        if !known {
            self.asked = Some(from);
            self.found = text.get(from..).and_then(|rest| memmem::find(rest, what)).map(|length| from + length);
        }
        self.found
    }
}
