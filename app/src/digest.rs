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
use std::path::Path;

use headwater_domain::synthesis::digest::{Digest, DigestArticle};

pub(crate) use phrase::summary;

use crate::failure::UsageError;
use crate::output::Form;

/// The forms of a digest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
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

/// Renders a digest; the text ends with a line break.
pub(crate) fn render(digest: &Digest, format: Format) -> anyhow::Result<String> {
    Ok(match format {
        Format::Text => text::render(digest),
        Format::Markdown => markdown::render(digest),
        Format::Html => html::render(digest),
        Format::Atom => atom::render(digest),
        Format::Json => json::to_string(digest)? + "\n",
    })
}

/// The articles under their headings, in order; headings without articles are left out.
fn sections(digest: &Digest) -> Vec<(&str, Vec<&DigestArticle>)> {
    let of_topic = |topic: Option<usize>| digest.articles.iter().filter(|one| one.topic == topic).collect::<Vec<_>>();
    let topics = digest.topics.iter().enumerate().map(|(place, name)| (name.as_str(), of_topic(Some(place))));
    let rest = ("Everything new", of_topic(None));
    topics.chain([rest]).filter(|(_, articles)| !articles.is_empty()).collect()
}

#[cfg(test)]
mod tests;
