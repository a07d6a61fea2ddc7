//! What address an attribute of a page stands for.

use url::Url;

/// The absolute address of a link: of a scheme that a reader may follow, else nothing.
pub(crate) fn link(value: &str, base: Option<&Url>) -> Option<Url> {
    resolve(value, base).filter(|url| LINK_SCHEMES.contains(&url.scheme()))
}

/// The absolute address of a picture or of another page: http or https only.
pub(crate) fn web(value: &str, base: Option<&Url>) -> Option<Url> {
    resolve(value, base).filter(|url| matches!(url.scheme(), "http" | "https"))
}

/// The absolute address of a feed: as [`web`], and `feed:` stands for it too.
pub(crate) fn feed(value: &str, base: &Url) -> Option<Url> {
    let value = value.trim();
    let bare = value.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("feed:")).map(|_| &value[5..]);
    match bare {
        Some(rest) if rest.starts_with("//") => web(&format!("http:{rest}"), None),
        Some(rest) => web(rest, None),
        None => web(value, Some(base)),
    }
}

fn resolve(value: &str, base: Option<&Url>) -> Option<Url> {
    let value = value.trim();
    if value.is_empty() || value.len() > MAX_URL_BYTES {
        return None;
    }
    match base {
        Some(base) => base.join(value).ok(),
        None => Url::parse(value).ok(),
    }
}

const LINK_SCHEMES: [&str; 8] = ["http", "https", "mailto", "tel", "ftp", "magnet", "xmpp", "irc"];
const MAX_URL_BYTES: usize = 8 * 1024;

#[cfg(test)]
mod tests;
