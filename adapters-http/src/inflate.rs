//! What a coded body decodes to, a block at a time.
//!
//! The only place that calls a decompressor: everything that comes out goes to a sink that counts it.

use brotli_decompressor::{BrotliDecompressStream, BrotliResult, BrotliState, StandardAlloc};
use flate2::{Decompress, FlushDecompress, Status};
use zstd_safe::{DCtx, DParameter, InBuffer, OutBuffer};

use crate::coding::{Coding, is_zlib};

/// A chain of decoders, the outermost coding first.
pub(crate) struct Inflater {
    layers: Vec<Layer>,
}

/// The bytes are not what the coding says, or the window is larger than allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken;

/// Why pushing stopped.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Stop<E> {
    /// A decoder failed.
    Broken,
    /// The sink had enough.
    Sink(E),
}

struct Layer {
    decoder: Decoder,
    coding: Coding,
    /// Whether a whole member was read, and nothing of another.
    ended: bool,
    /// Whether what follows is junk behind the last member.
    spent: bool,
    block: Box<[u8]>,
}

enum Decoder {
    Deflate(Decompress),
    /// Zlib or raw, told apart by the first two bytes, which are kept until then.
    Undecided(Vec<u8>),
    Brotli(Box<BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>>),
    Zstd(Box<DCtx<'static>>),
}

struct Step {
    read: usize,
    written: usize,
    ended: bool,
}

impl Inflater {
    /// Decoders for codings in the order in which they are to be undone.
    pub(crate) fn new(codings: &[Coding]) -> Self {
        Self { layers: codings.iter().map(|&coding| Layer::new(coding)).collect() }
    }

    /// Decodes what can be decoded of `input` and what was held back, and gives it to `sink`.
    pub(crate) fn push<E>(
        &mut self,
        input: &[u8],
        sink: &mut dyn FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), Stop<E>> {
        push(&mut self.layers, input, sink)
    }

    /// Whether the body may end here.
    pub(crate) fn is_complete(&self) -> bool {
        self.layers.iter().all(|layer| layer.ended)
    }
}

fn push<E>(
    layers: &mut [Layer],
    mut input: &[u8],
    sink: &mut dyn FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), Stop<E>> {
    let Some((layer, inner)) = layers.split_first_mut() else {
        return sink(input).map_err(Stop::Sink);
    };
    loop {
        let step = layer.step(input).map_err(|Broken| Stop::Broken)?;
        input = &input[step.read..];
        if step.written > 0 {
            push(inner, &layer.block[..step.written], sink)?;
        }
        // A full block may have more behind it; anything less means that the decoder waits for input.
        let waits = step.written < layer.block.len() && !step.ended;
        if layer.spent || (input.is_empty() && (waits || step.ended)) {
            return Ok(());
        }
        if step.read == 0 && step.written == 0 && !step.ended {
            return Err(Stop::Broken);
        }
    }
}

impl Layer {
    fn new(coding: Coding) -> Self {
        let block = vec![0; BLOCK].into_boxed_slice();
        Self { decoder: Decoder::new(coding), coding, ended: false, spent: false, block }
    }

    fn step(&mut self, input: &[u8]) -> Result<Step, Broken> {
        if self.spent {
            return Ok(Step { read: input.len(), written: 0, ended: true });
        }
        if self.ended && !input.is_empty() {
            self.begin_next(input[0]);
            if self.spent {
                return Ok(Step { read: input.len(), written: 0, ended: true });
            }
        }
        let step = self.decoder.step(input, &mut self.block)?;
        self.ended = step.ended;
        Ok(step)
    }

    /// Only gzip and zstd have members; what else follows an end is padding or junk, which every other client ignores.
    fn begin_next(&mut self, first: u8) {
        match (self.coding, first) {
            (Coding::Gzip, 0x1f) => self.decoder = Decoder::new(Coding::Gzip),
            (Coding::Zstd, 0x28 | 0x50..=0x5f) => {}
            _ => self.spent = true,
        }
    }
}

impl Decoder {
    fn new(coding: Coding) -> Self {
        match coding {
            Coding::Gzip => Self::Deflate(Decompress::new_gzip(15)),
            Coding::Deflate => Self::Undecided(Vec::new()),
            Coding::Brotli => Self::Brotli(Box::new(BrotliState::new_strict(
                StandardAlloc::default(),
                StandardAlloc::default(),
                StandardAlloc::default(),
            ))),
            Coding::Zstd => {
                let mut context = DCtx::create();
                context
                    .set_parameter(DParameter::WindowLogMax(ZSTD_WINDOW_LOG))
                    .expect("23 is a window that zstd knows");
                Self::Zstd(Box::new(context))
            }
        }
    }

    fn step(&mut self, input: &[u8], block: &mut [u8]) -> Result<Step, Broken> {
        match self {
            Self::Undecided(head) => {
                let taken = input.len().min(2 - head.len());
                head.extend_from_slice(&input[..taken]);
                let &mut [first, second] = head.as_mut_slice() else {
                    return Ok(Step { read: taken, written: 0, ended: false });
                };
                let mut inflate = Decompress::new(is_zlib(first, second));
                let step = deflate_step(&mut inflate, &[first, second], block)?;
                *self = Self::Deflate(inflate);
                Ok(Step { read: taken, ..step })
            }
            Self::Deflate(inflate) => deflate_step(inflate, input, block),
            Self::Brotli(state) => brotli_step(state, input, block),
            Self::Zstd(context) => zstd_step(context, input, block),
        }
    }
}

fn deflate_step(inflate: &mut Decompress, input: &[u8], block: &mut [u8]) -> Result<Step, Broken> {
    let (read, written) = (inflate.total_in(), inflate.total_out());
    let status = inflate.decompress(input, block, FlushDecompress::None).map_err(|_| Broken)?;
    let count = |now: u64, before: u64| usize::try_from(now - before).expect("no more than the slices hold");
    Ok(Step {
        read: count(inflate.total_in(), read),
        written: count(inflate.total_out(), written),
        ended: status == Status::StreamEnd,
    })
}

fn brotli_step(
    state: &mut BrotliState<StandardAlloc, StandardAlloc, StandardAlloc>,
    input: &[u8],
    block: &mut [u8],
) -> Result<Step, Broken> {
    let (mut read, mut written) = (0, 0);
    let (mut input_left, mut block_left) = (input.len(), block.len());
    let result =
        BrotliDecompressStream(&mut input_left, &mut read, input, &mut block_left, &mut written, block, &mut 0, state);
    match result {
        BrotliResult::ResultFailure => Err(Broken),
        result => Ok(Step { read, written, ended: matches!(result, BrotliResult::ResultSuccess) }),
    }
}

fn zstd_step(context: &mut DCtx<'static>, input: &[u8], block: &mut [u8]) -> Result<Step, Broken> {
    let mut input = InBuffer::around(input);
    let mut output = OutBuffer::around(block);
    let hint = context.decompress_stream(&mut output, &mut input).map_err(|_| Broken)?;
    Ok(Step { read: input.pos(), written: output.pos(), ended: hint == 0 })
}

/// What a decoder gives at once.
const BLOCK: usize = 16 * 1024;

/// 8 MiB, the largest window that a client must support (RFC 9659); the library's own default is 128 MiB.
const ZSTD_WINDOW_LOG: u32 = 23;

#[cfg(test)]
mod tests;
