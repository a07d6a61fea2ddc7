//! Whether what was found is an article, or a notice that stands in for one.

use headwater_domain::text::collapse_space;

use super::metadata::Metadata;

/// How much a text says: a character of Chinese and the like says as much as three of others.
pub(super) fn weight(plain: &str) -> usize {
    plain
        .chars()
        .map(|c| {
            if c.is_whitespace() {
                0
            } else if c >= '\u{2E80}' {
                3
            } else {
                1
            }
        })
        .sum()
}

/// Whether a text can be taken for the article of its page.
///
/// It cannot if it is a label, a notice (scripts are needed, a robot is suspected) or the few lines in front of a
/// paywall; `page` gives the text of the whole page and is only asked where the text is short.
pub(super) fn is_article(plain: &str, metadata: &Metadata, page: impl FnOnce() -> String) -> bool {
    let weight = weight(plain);
    if weight < MIN_WEIGHT {
        return false;
    }
    if weight > MAX_STUB_WEIGHT {
        return true;
    }
    let lower = plain.to_lowercase();
    if weight <= MAX_NOTICE_WEIGHT && NOTICES.iter().any(|notice| lower.contains(notice)) {
        return false;
    }
    if metadata.paywalled {
        return false;
    }
    let page = collapse_space(&page()).to_lowercase();
    !WALLS.iter().any(|wall| page.contains(wall))
}

const NOTICES: &[&str] = &[
    "enable javascript",
    "enable js",
    "javascript is disabled",
    "javascript is required",
    "requires javascript",
    "javascript to run",
    "javascript aktivieren",
    "activer javascript",
    "disable any ad blocker",
    "checking your browser",
    "checking if the site connection is secure",
    "just a moment",
    "verify you are human",
    "are you a robot",
    "unusual traffic",
    "you have been blocked",
    "access denied",
    "access to this page has been denied",
    "please wait while",
    "page not found",
    "page you requested",
    "page you are looking for",
    "loading...",
    "loading…",
];
const WALLS: &[&str] = &[
    "subscribe to continue",
    "subscribe to read",
    "subscribe to keep reading",
    "subscribe now to continue",
    "already a subscriber",
    "already have a subscription",
    "this article is for subscribers",
    "this content is for subscribers",
    "this story is for subscribers",
    "for subscribers only",
    "exclusive to subscribers",
    "members-only story",
    "log in to continue reading",
    "log in to read",
    "sign in to continue reading",
    "sign in to read",
    "register to continue reading",
    "register to read",
    "to continue reading this article",
    "to read the full article",
    "to read the full story",
    "to read this article in full",
    "unlock this article",
    "you have reached your limit of free articles",
    "you've reached your limit of free articles",
    "jetzt weiterlesen mit",
    "weiterlesen mit",
    "dieser artikel ist exklusiv",
    "nur für abonnenten",
    "für abonnenten lesbar",
    "réservé aux abonnés",
    "réservé à nos abonnés",
    "la suite est réservée",
    "exclusivo para suscriptores",
    "contenido exclusivo para",
    "conteúdo exclusivo para assinantes",
    "contenuto riservato agli abbonati",
    "alleen voor abonnees",
    "tylko dla subskrybentów",
    "доступно только подписчикам",
    "この記事は有料",
    "有料会員限定",
    "会員限定記事",
    "订阅后阅读",
];
const MIN_WEIGHT: usize = 20;
const MAX_NOTICE_WEIGHT: usize = 300;
const MAX_STUB_WEIGHT: usize = 450;

#[cfg(test)]
mod tests;
