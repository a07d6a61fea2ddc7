//! Web pages: feed discovery, article links, readable text, sanitising and Markdown.
//!
//! Every document first goes through a linear pass (`scan`, `tidy`), which bounds depth and attributes before any tree
//! is built; the parsers behind it are not linear in either.

mod address;
mod article;
mod charset;
mod discovery;
mod fragment;
mod image;
mod links;
mod markdown;
mod prescan;
mod reader;
mod sanitise;
mod scan;
mod tidy;
mod tree;

pub use reader::HtmlPageReader;
pub use sanitise::HtmlSanitiser;
