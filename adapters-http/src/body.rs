//! How a body is collected under its cap: decoded as it comes, with memory bounded by what the server really sent.

mod wire;

use bytes::{Bytes, BytesMut};

use self::wire::Wire;
use crate::coding::{Claim, Coding, SNIFFED, is_text};
use crate::inflate::{Inflater, Stop};

/// Collects one body. Feed it with [`push`](Self::push), end it with [`finish`](Self::finish).
///
/// A bomb must not cost its content: what is decoded is kept only while it is small beside what came over the wire.
/// Beyond that it is merely counted, and decoded once more, from the wire's bytes, when the count stayed under the cap.
pub(crate) struct Body {
    cap: u64,
    claim: Claim,
    wire: Wire,
    state: State,
}

/// A collected body.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Collected {
    /// The decoded bytes.
    pub(crate) bytes: Bytes,
    /// Whether the coding was broken or not at its end.
    pub(crate) cut: bool,
}

/// Why a body cannot be had.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum BodyError {
    /// More decoded bytes than the cap.
    TooLarge,
    /// The coding is unknown, or not what the body is in.
    Coding(String),
}

enum State {
    /// Too little came to tell the coding.
    Sniffing,
    /// No coding: the wire is the body.
    Plain,
    /// Decoding.
    Coded(Decoding),
    /// The coding broke after some of the body had come.
    Cut(Decoding),
}

struct Decoding {
    codings: Vec<Coding>,
    inflater: Inflater,
    /// Nobody claimed a coding: the magic number alone speaks for it.
    on_trial: bool,
    count: u64,
    /// The first decoded bytes, by which the rest is judged.
    head: Vec<u8>,
    /// What was decoded, as long as it is kept.
    kept: Option<Vec<u8>>,
}

impl Body {
    /// A collector for a body with this head.
    pub(crate) fn new(claim: Claim, cap: u64) -> Self {
        Self { cap, claim, wire: Wire::default(), state: State::Sniffing }
    }

    /// Whether nothing more is wanted, since the coding broke.
    pub(crate) fn is_cut(&self) -> bool {
        matches!(self.state, State::Cut(_))
    }

    /// Takes what came over the wire.
    ///
    /// # Errors
    /// The body is too large, or its coding is not understood.
    pub(crate) fn push(&mut self, chunk: Bytes) -> Result<(), BodyError> {
        if chunk.is_empty() || self.is_cut() {
            return Ok(());
        }
        self.wire.push(&chunk);
        if self.wire.len() > self.cap.saturating_add(CODING_SLACK) {
            return Err(BodyError::TooLarge);
        }
        match self.state {
            State::Sniffing if self.wire.len() < SNIFFED as u64 => Ok(()),
            State::Sniffing => self.settle(),
            State::Plain => self.check_plain(),
            State::Coded(_) => self.decode(&chunk),
            State::Cut(_) => Ok(()),
        }
    }

    /// The body, when the wire has ended.
    ///
    /// # Errors
    /// As [`push`](Self::push): a body of a few bytes is only judged here.
    pub(crate) fn finish(mut self) -> Result<Collected, BodyError> {
        if matches!(self.state, State::Sniffing) && self.wire.len() > 0 {
            self.settle()?;
        }
        match self.state {
            State::Sniffing | State::Plain => Ok(Collected { bytes: self.wire.join(), cut: false }),
            State::Coded(decoding) => {
                let cut = !decoding.inflater.is_complete();
                // A wire that reads as text and does not decode to its end is text under a false name. One byte may be an
                // empty body in brotli.
                let is_nothing = decoding.count == 0 && self.wire.len() > 1;
                if (cut || is_nothing) && is_text(&self.wire.head()) {
                    return Ok(Collected { bytes: self.wire.join(), cut: false });
                }
                Ok(Collected { bytes: decoding.into_bytes(self.wire), cut })
            }
            State::Cut(decoding) => Ok(Collected { bytes: decoding.into_bytes(self.wire), cut: true }),
        }
    }

    /// What has come so far, whatever it is worth; for the bodies of failures, which only inform.
    pub(crate) fn salvage(self) -> Bytes {
        match self.state {
            State::Coded(Decoding { kept: Some(kept), .. }) | State::Cut(Decoding { kept: Some(kept), .. }) => {
                kept.into()
            }
            State::Plain => self.wire.join(),
            _ => Bytes::new(),
        }
    }

    fn settle(&mut self) -> Result<(), BodyError> {
        let Some(codings) = self.claim.settle(&self.wire.head()) else {
            return Err(BodyError::Coding(self.claim.complaint()));
        };
        if codings.is_empty() {
            self.state = State::Plain;
            return self.check_plain();
        }
        let on_trial = self.claim == Claim::Known(Vec::new());
        self.state = State::Coded(Decoding::new(codings, on_trial));
        // Nothing but the first few bytes has come yet, or one chunk.
        let first: Vec<u8> = self.wire.parts().collect::<Vec<_>>().concat();
        self.decode(&first)
    }

    fn check_plain(&self) -> Result<(), BodyError> {
        if self.wire.len() > self.cap { Err(BodyError::TooLarge) } else { Ok(()) }
    }

    fn decode(&mut self, chunk: &[u8]) -> Result<(), BodyError> {
        let State::Coded(decoding) = &mut self.state else { return Ok(()) };
        let result = decoding.push(chunk, self.cap, self.wire.len());
        if decoding.on_trial && !decoding.head.is_empty() && !is_text(&decoding.head) {
            self.state = State::Plain;
            return self.check_plain();
        }
        match result {
            Ok(()) => Ok(()),
            Err(Stop::Sink(TooLarge)) => Err(BodyError::TooLarge),
            Err(Stop::Broken) => self.on_broken(),
        }
    }

    /// The bytes are not in the coding: then they are plain, or damaged, or something else.
    fn on_broken(&mut self) -> Result<(), BodyError> {
        let State::Coded(decoding) = std::mem::replace(&mut self.state, State::Plain) else { return Ok(()) };
        if decoding.on_trial || is_text(&self.wire.head()) {
            return self.check_plain();
        }
        if decoding.count > 0 && is_text(&decoding.head) {
            self.state = State::Cut(decoding);
            return Ok(());
        }
        Err(BodyError::Coding("the body is not in the content coding that it claims".to_owned()))
    }
}

/// The sink's refusal.
struct TooLarge;

impl Decoding {
    fn new(codings: Vec<Coding>, on_trial: bool) -> Self {
        let inflater = Inflater::new(&codings);
        Self { codings, inflater, on_trial, count: 0, head: Vec::new(), kept: Some(Vec::new()) }
    }

    fn push(&mut self, chunk: &[u8], cap: u64, wire_len: u64) -> Result<(), Stop<TooLarge>> {
        let Self { inflater, count, head, kept, .. } = self;
        let affordable = KEPT_AT_LEAST.max(wire_len.saturating_mul(KEPT_RATIO));
        inflater.push(chunk, &mut |block| {
            *count += block.len() as u64;
            if *count > cap {
                return Err(TooLarge);
            }
            head.extend_from_slice(&block[..block.len().min(HEAD - head.len())]);
            match kept {
                Some(_) if *count > affordable => *kept = None,
                Some(kept) => kept.extend_from_slice(block),
                None => {}
            }
            Ok(())
        })
    }

    /// The decoded bytes: those kept, or the wire decoded once more into a buffer of just the size.
    fn into_bytes(self, wire: Wire) -> Bytes {
        if let Some(kept) = self.kept {
            return kept.into();
        }
        let size = usize::try_from(self.count).expect("the cap fits into memory");
        let mut bytes = BytesMut::with_capacity(size);
        let mut inflater = Inflater::new(&self.codings);
        // Each chunk is let go as soon as it is decoded.
        for chunk in wire.into_chunks() {
            let result = inflater.push(&chunk, &mut |block| {
                let room = size - bytes.len();
                bytes.extend_from_slice(&block[..block.len().min(room)]);
                if block.len() > room { Err(TooLarge) } else { Ok(()) }
            });
            if result.is_err() {
                break;
            }
        }
        bytes.freeze()
    }
}

/// Decoded bytes up to this many are kept whatever the ratio.
const KEPT_AT_LEAST: u64 = 2 * 1024 * 1024;

/// Decoded bytes are kept up to so many times what came over the wire. Honest text stays under it.
const KEPT_RATIO: u64 = 20;

/// How much a coded body may be larger than its content.
const CODING_SLACK: u64 = 1024 * 1024;

/// So much of the decoded body is judged.
const HEAD: usize = 512;

#[cfg(test)]
mod tests;
