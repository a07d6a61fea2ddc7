//! Why a document is refused, and which kind of failure each reason is.

use headwater_domain::ErrorKind;
use headwater_ports::Error;

/// A reason to refuse a document, whatever could be read of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refused {
    /// Entity declarations, or an internal DTD subset.
    #[error("the document declares entities or carries an internal DTD subset")]
    Dtd,
    /// Elements nest too deep.
    #[error("elements nest deeper than {0}")]
    TooDeep(usize),
    /// One element has too many attributes.
    #[error("an element has more than {0} attributes")]
    TooManyAttributes(usize),
    /// Too many namespace declarations are in scope at one place.
    #[error("more than {0} namespace declarations are in scope")]
    TooManyNamespaces(usize),
    /// The document has too many nodes.
    #[error("the document has more than {0} nodes")]
    TooManyNodes(usize),
    /// Repair did not help.
    #[error("the document is broken beyond repair: {0}")]
    Malformed(String),
    /// It is something else, with the kind that says what and what was seen.
    #[error("{detail}")]
    Reply {
        /// The kind.
        kind: ErrorKind,
        /// What was seen.
        detail: String,
        /// What can be done.
        hint: Option<&'static str>,
    },
}

impl Refused {
    /// Refuses a DOCTYPE with an internal subset, and a declaration of anything but a document type.
    pub(crate) fn check_doctype(body: &str) -> Result<(), Self> {
        let word = body.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
        let document_type = word.eq_ignore_ascii_case("doctype");
        if body.ends_with('[') || (!document_type && is_dtd_word(word)) { Err(Self::Dtd) } else { Ok(()) }
    }

    pub(crate) fn kind(&self) -> ErrorKind {
        match self {
            Self::Dtd => ErrorKind::DtdForbidden,
            Self::TooDeep(_) => ErrorKind::TooDeep,
            Self::TooManyNodes(_) => ErrorKind::BodyTooLarge,
            Self::TooManyAttributes(_) | Self::TooManyNamespaces(_) | Self::Malformed(_) => ErrorKind::Malformed,
            Self::Reply { kind, .. } => *kind,
        }
    }
}

impl From<Refused> for Error {
    fn from(refused: Refused) -> Self {
        let error = Self::new(refused.kind(), "parse feed", refused.to_string());
        match refused {
            Refused::Reply { hint: Some(hint), .. } => error.with_hint(hint),
            _ => error,
        }
    }
}

fn is_dtd_word(word: &str) -> bool {
    ["entity", "element", "attlist", "notation"].iter().any(|known| word.eq_ignore_ascii_case(known))
}
