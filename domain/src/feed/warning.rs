//! What a lenient reader noticed and went on from.

use serde::{Deserialize, Serialize};

/// Something that was repaired, dropped or doubted, with where.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Warning {
    /// What kind of thing it was.
    pub code: WarningCode,
    /// What and where, for people; never a secret.
    pub detail: String,
    /// The index of the item concerned, in document order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub item: Option<usize>,
}

/// The kinds of warnings, as stable words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum WarningCode {
    /// Characters that XML forbids were dropped.
    ForbiddenCharacter,
    /// A reference to a character or entity that does not exist was kept as text, or dropped.
    BadReference,
    /// A lone `&` was kept as text.
    BareAmpersand,
    /// An HTML entity that XML does not know was resolved.
    HtmlEntity,
    /// A namespace prefix was never declared.
    UndeclaredPrefix,
    /// Tags were unclosed, misnested or cut off.
    UnbalancedTags,
    /// Text stood before or after the document.
    Garbage,
    /// A CDATA section was closed twice, or escaped.
    BrokenCdata,
    /// Broken markup inside a tag was mended.
    BrokenMarkup,
    /// The declared encoding is not that of the bytes.
    EncodingMismatch,
    /// Bytes that are no text in the document's encoding were replaced.
    UndecodableBytes,
    /// The document ends early, or went over a limit.
    Truncated,
    /// A DOCTYPE was left out.
    DoctypeIgnored,
    /// An item without anything to know it by was left out.
    ItemSkipped,
    /// A date could not be read.
    BadDate,
    /// A URL could not be read.
    BadUrl,
    /// A page of a paged feed links back to a page already read.
    PaginationLoop,
    /// The page limit ended a walk through a paged feed.
    PageLimit,
    /// A walk through a paged feed met the items already known.
    WindowsMet,
    /// A page of a paged feed could not be read: the walk ended there.
    PartialFetch,
}
