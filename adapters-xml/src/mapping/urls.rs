//! How a feed's URLs become absolute.

use std::borrow::Cow;

use headwater_domain::feed::WarningCode;
use headwater_domain::secret::PrivateUrl;
use url::Url;

use super::Context;
use crate::space::Space;
use crate::tree::Element;

/// What relative URLs at a place are resolved against.
#[derive(Debug, Clone)]
pub(super) struct Base<'b> {
    url: Option<Cow<'b, Url>>,
    /// Whether an `xml:base` said so.
    stated: bool,
}

impl<'b> Base<'b> {
    /// Where the document was fetched.
    pub(super) fn retrieval(url: Option<&'b Url>) -> Self {
        Self { url: url.map(Cow::Borrowed), stated: false }
    }

    /// The base within an element, which may state its own.
    pub(super) fn within<'a, E: Element<'a>>(&'b self, element: E) -> Base<'b> {
        let stated = element.attribute_of(Space::Xml, "base").and_then(|stated| self.join(stated));
        match stated {
            Some(url) => Base { url: Some(Cow::Owned(url)), stated: true },
            None => Base { url: self.url.as_deref().map(Cow::Borrowed), stated: self.stated },
        }
    }

    /// The base of items: the feed's link, unless a base was stated; in Atom where the feed itself was fetched.
    pub(super) fn behind_link(&'b self, link: Option<&'b PrivateUrl>, context: &Context<'_>) -> Base<'b> {
        let link = link.map(PrivateUrl::expose).filter(|link| is_web(link));
        if self.stated || (context.is_atom() && self.url.is_some()) || link.is_none() {
            return Base { url: self.url.as_deref().map(Cow::Borrowed), stated: self.stated };
        }
        Base { url: link.map(Cow::Borrowed), stated: false }
    }

    pub(super) fn url(&self) -> Option<&Url> {
        self.url.as_deref()
    }

    fn join(&self, text: &str) -> Option<Url> {
        let text = text.trim();
        match &self.url {
            Some(base) => base.join(text).ok(),
            None => Url::parse(text).ok(),
        }
    }

    /// The absolute form of a URL; absent, with a warning, where there is none.
    pub(super) fn resolve(&self, text: &str, context: &Context<'_>) -> Option<PrivateUrl> {
        let text = text.trim();
        if text.is_empty() {
            return None;
        }
        let found = match Url::parse(text) {
            Ok(url) if is_harmless(&url) => Some(url),
            Ok(_) => None,
            Err(_) => self.join(&without_breaks(text)).or_else(|| bare_host(text)),
        };
        if found.is_none() {
            let detail = if self.url.is_some() { "a URL that cannot be read" } else { "a relative URL without a base" };
            context.warn(WarningCode::BadUrl, detail);
        }
        found.map(PrivateUrl::new)
    }
}

/// Whether a URL leads to the web.
pub(super) fn is_web(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https")
}

/// Whether a text is an absolute URL of the web.
pub(super) fn is_web_text(text: &str) -> bool {
    ["http://", "https://"]
        .iter()
        .any(|scheme| text.get(..scheme.len()).is_some_and(|s| s.eq_ignore_ascii_case(scheme)))
}

/// Whether a text is a URL without scheme: a path that some base makes whole.
pub(super) fn is_relative_path(text: &str) -> bool {
    Url::parse(text) == Err(url::ParseError::RelativeUrlWithoutBase) && !text.contains(char::is_whitespace)
}

fn is_harmless(url: &Url) -> bool {
    !matches!(url.scheme(), "javascript" | "vbscript" | "data" | "about" | "blob")
}

/// `www.example.org/a` is meant as a URL of the web.
fn bare_host(text: &str) -> Option<Url> {
    let host = text.split(['/', '?', '#']).next().unwrap_or("");
    let meant = host.starts_with("www.") && host.contains('.') && !host.contains(char::is_whitespace);
    if meant { Url::parse(&format!("http://{text}")).ok() } else { None }
}

fn without_breaks(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\r', '\t']) {
        Cow::Owned(text.replace(['\n', '\r', '\t'], ""))
    } else {
        Cow::Borrowed(text)
    }
}
