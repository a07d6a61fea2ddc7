//! RSS and Atom, as the wild has them: bytes decoded, documents mended, feeds mapped; and OPML.
//!
//! [`XmlFeedParser`] is the parser behind the port. A sound document is read as it is; a broken one is mended first, and
//! says so. Nothing here reads a file or the network, and everything is linear in the input.

mod charset;
mod cut;
mod error;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod mapping;
mod names;
mod opml;
mod parser;
mod refusal;
mod repair;
mod scan;
mod space;
mod tree;

pub use opml::OpmlFormat;
pub use parser::XmlFeedParser;
