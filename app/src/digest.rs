//! How a digest is shown: as text, Markdown, one HTML page, an Atom feed or JSON.

pub(crate) mod atom;
pub(crate) mod html;
pub(crate) mod json;
pub(crate) mod markdown;
mod phrase;
pub(crate) mod stored;
pub(crate) mod text;
mod xml;

use std::ffi::OsStr;
use std::io;
use std::path::Path;

use headwater_domain::synthesis::digest::{Digest, DigestArticle};
use headwater_domain::synthesis::summary::Overview;
use headwater_ports::Page;

pub(crate) use phrase::summary;

use crate::deliver::Delivered;
use crate::failure::UsageError;
use crate::output::Form;

/// The forms of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Format {
    /// For a terminal
    Text,
    /// For notes and chats
    Markdown,
    /// One self-contained page
    Html,
    /// For programs
    Json,
    /// For feed readers
    Atom,
}

impl Format {
    /// The form that the flags ask for: `--format`, else the ending of `--out`, else JSON or text.
    ///
    /// # Errors
    /// `--json` and `--format` want different things of standard output.
    pub(crate) fn choose(format: Option<Self>, out: Option<&Path>, standard_output: Form) -> Result<Self, UsageError> {
        let ending = out.and_then(Path::extension).and_then(OsStr::to_str);
        match (format, out) {
            (Some(format), None) if standard_output == Form::Json && format != Self::Json => Err(UsageError(
                "--json and --format want different things of standard output; add --out for one of them".to_owned(),
            )),
            (Some(format), _) => Ok(format),
            (None, Some(_)) => Ok(ending.and_then(Self::of_ending).unwrap_or(Self::Text)),
            (None, None) => Ok(match standard_output {
                Form::Json => Self::Json,
                Form::People => Self::Text,
            }),
        }
    }

    /// The form that the ending of a file's name asks for.
    pub(crate) fn of_ending(ending: &str) -> Option<Self> {
        match ending.to_ascii_lowercase().as_str() {
            "txt" => Some(Self::Text),
            "md" | "markdown" => Some(Self::Markdown),
            "html" | "htm" => Some(Self::Html),
            "json" => Some(Self::Json),
            "atom" | "xml" => Some(Self::Atom),
            _ => None,
        }
    }
}

/// A digest in one of its forms; the text ends with a line break.
pub(crate) struct Sheet<'a> {
    /// What is shown.
    pub(crate) digest: &'a Digest,
    /// How.
    pub(crate) format: Format,
    /// What became of its deliveries, where programs are to know.
    pub(crate) deliveries: &'a [Delivered],
}

impl<'a> Sheet<'a> {
    /// A digest in a form, without its deliveries.
    pub(crate) fn new(digest: &'a Digest, format: Format) -> Self {
        Self { digest, format, deliveries: &[] }
    }
}

impl Page for Sheet<'_> {
    fn content_type(&self) -> &'static str {
        match self.format {
            Format::Text => "text/plain; charset=utf-8",
            Format::Markdown => "text/markdown; charset=utf-8",
            Format::Html => "text/html; charset=utf-8",
            Format::Json => "application/json",
            Format::Atom => "application/atom+xml",
        }
    }

    fn ending(&self) -> &'static str {
        match self.format {
            Format::Text => "txt",
            Format::Markdown => "md",
            Format::Html => "html",
            Format::Json => "json",
            Format::Atom => "xml",
        }
    }

    fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        match self.format {
            Format::Text => text::write(self.digest, out),
            Format::Markdown => markdown::write(self.digest, out),
            Format::Html => html::write(self.digest, out),
            Format::Atom => atom::write(self.digest, out),
            Format::Json => {
                json::write(self.digest, self.deliveries, out)?;
                out.write_all(b"\n")
            }
        }
    }
}

/// Writes what was put together so far, and begins anew: a digest is never in memory as a whole page.
fn flush(piece: &mut String, out: &mut dyn io::Write) -> io::Result<()> {
    out.write_all(piece.as_bytes())?;
    piece.clear();
    Ok(())
}

/// The articles of a topic under its heading.
struct Section<'a> {
    heading: &'a str,
    overview: Option<&'a Overview>,
    articles: Vec<&'a DigestArticle>,
}

/// The articles under their headings, in order; headings without articles are left out.
fn sections(digest: &Digest) -> Vec<Section<'_>> {
    let section = |heading, topic: Option<usize>| Section {
        heading,
        overview: digest.overviews.iter().find(|overview| overview.topic == topic),
        articles: digest.articles.iter().filter(|one| one.topic == topic).collect(),
    };
    let topics = digest.topics.iter().enumerate().map(|(place, name)| section(name.as_str(), Some(place)));
    topics.chain([section("Everything new", None)]).filter(|section| !section.articles.is_empty()).collect()
}

#[cfg(test)]
pub(crate) mod tests;
