//! Whether two texts say nearly the same: one article that several sources carry.

use std::collections::BTreeMap;
use std::hash::Hasher;

use super::words::words;

/// The fingerprint of a text: texts that share most of their runs of words have fingerprints that differ in few bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fingerprint {
    bits: u64,
    shingles: usize,
}

/// The fingerprints seen so far, each with a number of the caller's.
///
/// Looking one up costs what is stored near it, not what is stored: four tables, one for each quarter of the bits, of
/// which at least one quarter agrees where no more than three bits differ.
#[derive(Debug, Clone, Default)]
pub struct Fingerprints {
    tables: [BTreeMap<u16, Vec<(Fingerprint, usize)>>; BANDS],
}

impl Fingerprint {
    /// The fingerprint of a text (SimHash over runs of four words); none where it is too short to tell texts apart.
    pub fn of(text: &str) -> Option<Self> {
        let words = words(text);
        let shingles = words.len().checked_sub(SHINGLE_WORDS - 1).filter(|count| *count >= MIN_SHINGLES)?;
        let mut votes = [0i64; 64];
        for shingle in words.windows(SHINGLE_WORDS) {
            let hash = hash(shingle);
            for (bit, vote) in votes.iter_mut().enumerate() {
                *vote += if hash >> bit & 1 == 1 { 1 } else { -1 };
            }
        }
        let bits = votes.iter().enumerate().filter(|(_, vote)| **vote > 0).fold(0, |bits, (bit, _)| bits | 1 << bit);
        Some(Self { bits, shingles })
    }

    /// The fingerprint of these parts, as a store kept them.
    pub fn from_parts(bits: u64, shingles: usize) -> Self {
        Self { bits, shingles }
    }

    /// The 64 bits.
    pub fn bits(self) -> u64 {
        self.bits
    }

    /// How many runs of words the text has.
    pub fn shingles(self) -> usize {
        self.shingles
    }

    /// The four quarters of the bits, the lowest first. Texts that are nearly the same share at least one, in its place,
    /// so that a store finds them by it.
    pub fn bands(self) -> [u16; BANDS] {
        std::array::from_fn(|part| quarter(self, part))
    }

    /// Whether the texts are nearly the same: few bits differ, and neither is much longer than the other.
    pub fn is_near(self, other: Self) -> bool {
        let (short, long) = (self.shingles.min(other.shingles), self.shingles.max(other.shingles));
        (self.bits ^ other.bits).count_ones() <= MAX_DISTANCE && long - short <= long / 5
    }
}

impl Fingerprints {
    /// The number of the first text that was added and is nearly the same.
    pub fn find(&self, print: Fingerprint) -> Option<usize> {
        let near = |(known, number): &(Fingerprint, usize)| known.is_near(print).then_some(*number);
        let stored = self.tables.iter().enumerate().filter_map(|(part, table)| table.get(&quarter(print, part)));
        stored.filter_map(|prints| prints.iter().find_map(near)).min()
    }

    /// Adds a text under a number; numbers are given in rising order.
    pub fn add(&mut self, print: Fingerprint, number: usize) {
        for (part, table) in self.tables.iter_mut().enumerate() {
            table.entry(quarter(print, part)).or_default().push((print, number));
        }
    }
}

fn quarter(print: Fingerprint, part: usize) -> u16 {
    (print.bits >> (part * 16) & 0xFFFF) as u16
}

fn hash(shingle: &[String]) -> u64 {
    let mut hasher = Fnv(0xCBF2_9CE4_8422_2325);
    for word in shingle {
        hasher.write(word.as_bytes());
        hasher.write(&[0xFF]);
    }
    hasher.finish()
}

/// FNV-1a with a final mix: small, and the same on every machine and in every release, unlike the standard hasher.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 33).wrapping_mul(0xFF51_AFD7_ED55_8CCD);
        (mixed ^ mixed >> 33).wrapping_mul(0xC4CE_B9FE_1A85_EC53) ^ mixed >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

/// So many parts the bits have: one more than may differ.
pub const BANDS: usize = 4;

/// Words of a shingle: enough to catch phrasing, few enough that a changed word spoils little.
const SHINGLE_WORDS: usize = 4;

/// Shorter texts are alike by chance: notices, stubs, captions.
const MIN_SHINGLES: usize = 40;

/// Bits that may differ; the quarters of the tables guarantee three.
const MAX_DISTANCE: u32 = 3;

#[cfg(test)]
mod tests;
