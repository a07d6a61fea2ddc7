//! How untrusted bodies become safe HTML and Markdown.

use headwater_domain::feed::Content;
use url::Url;

/// Makes bodies safe to show.
///
/// An adapter MUST remove all active content (scripts, event handlers, `javascript:` and the like) and tracking pixels,
/// keep the text, make URLs absolute, and give on its own output the same output again.
#[cfg_attr(feature = "mock", mockall::automock)]
pub trait Sanitiser: Send + Sync {
    /// Safe HTML with absolute URLs; empty if nothing is left.
    fn sanitise(&self, content: &Content) -> String;

    /// Markdown of safe HTML, links absolute.
    #[allow(clippy::needless_lifetimes, reason = "mockall cannot elide a lifetime inside of an Option")]
    fn markdown<'a>(&self, html: &str, base: Option<&'a Url>) -> String;
}
