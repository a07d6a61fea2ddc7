//! What the address and the text of a link say about where it leads.

use headwater_domain::text::collapse_space;
use url::Url;

/// Whether an address could be that of an article: no asset, no list, no form, no way out.
pub(super) fn may_be_article(url: &Url) -> bool {
    let path = url.path().to_ascii_lowercase();
    let segments: Vec<&str> = path.split('/').filter(|segment| !segment.is_empty()).collect();
    let Some(last) = segments.last() else {
        return url.query_pairs().any(|(name, value)| is_id_name(&name) && !value.is_empty());
    };
    if last.rsplit_once('.').is_some_and(|(_, extension)| ASSETS.contains(&extension)) {
        return false;
    }
    let is_excluded = |segment: &str| EXCLUDED.contains(&segment.rsplit_once('.').map_or(segment, |(name, _)| name));
    let leads_elsewhere = segments.first().is_some_and(|first| is_excluded(first))
        || segments.iter().any(|segment| LISTS.contains(segment))
        || (segments.len() <= 2 && is_excluded(last));
    !leads_elsewhere
        && !is_further_page(&segments, url)
        && !url.query_pairs().any(|(name, _)| ACTIONS.contains(&&*name))
}

/// What the shape of an address says for it.
pub(super) fn score(url: &Url) -> i32 {
    let segments: Vec<&str> = url.path().split('/').filter(|segment| !segment.is_empty()).collect();
    let last = segments.last().copied().unwrap_or_default();
    let stem = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
    let words = stem.split(['-', '_', '+']).chain(stem.split("%20").skip(1)).filter(|word| !word.is_empty()).count();
    let digits = stem.bytes().filter(u8::is_ascii_digit).count();
    let mut score = 0;
    score += if words >= 4 {
        4
    } else if words == 3 {
        3
    } else {
        0
    };
    score += if digits >= 4 { 2 } else { 0 };
    score += if has_date(&segments) { 3 } else { 0 };
    score += if last.len() > stem.len() { 1 } else { 0 };
    score += if stem.len() > 40 { 1 } else { 0 };
    let numbered = url.query_pairs().any(|(name, value)| is_id_name(&name) && value.len() < 30);
    score += if numbered { 2 } else { 0 };
    score -= if segments.len() == 1 && words <= 2 && digits < 4 && !numbered { 2 } else { 0 };
    score
}

/// What the text of a link says for it: a headline is a sentence, a label is a word.
pub(super) fn score_of_text(text: &str) -> i32 {
    if text.is_empty() {
        return -1;
    }
    if is_generic(text) {
        return -3;
    }
    let wide = text.chars().filter(|c| *c >= '\u{2E80}').count();
    let words = text.split_whitespace().count() + wide / 2;
    match words {
        0 | 1 => -3,
        2 => -1,
        3 => 1,
        4..=5 => 3,
        6..=40 => 4,
        _ => 2,
    }
}

/// Whether a text would do for any link.
pub(super) fn is_generic(text: &str) -> bool {
    let folded = collapse_space(text).to_lowercase();
    let bare = folded.trim_matches(|c: char| !c.is_alphanumeric());
    bare.is_empty()
        || GENERIC.contains(&bare)
        || bare.chars().all(|c| c.is_numeric() || c.is_whitespace() || c == ',' || c == '.')
        || COUNTED.iter().any(|word| bare.strip_suffix(word).is_some_and(|n| n.trim().parse::<u32>().is_ok()))
}

/// The second and later pages of a list.
fn is_further_page(segments: &[&str], url: &Url) -> bool {
    let numbered = segments.windows(2).any(|two| {
        matches!(two[0], "page" | "pages" | "seite" | "pagina" | "p" | "page-num") && two[1].parse::<u32>().is_ok()
    });
    let one_segment = segments.last().is_some_and(|last| {
        let number = last.strip_prefix("page").map(|rest| rest.trim_matches(['-', '_', '=']));
        number.is_some_and(|number| number.split('.').next().is_some_and(|digits| digits.parse::<u32>().is_ok()))
    });
    let in_query = url.query_pairs().any(|(name, value)| {
        matches!(&*name, "page" | "paged" | "pg" | "start" | "offset") && value.parse::<u32>().is_ok()
    });
    numbered || one_segment || (in_query && !url.query_pairs().any(|(name, _)| is_id_name(&name)))
}

fn has_date(segments: &[&str]) -> bool {
    let year = |segment: &str| {
        segment.len() == 4 && (segment.starts_with("19") || segment.starts_with("20")) && is_number(segment)
    };
    let day = segments.windows(2).any(|two| year(two[0]) && (1..=2).contains(&two[1].len()) && is_number(two[1]));
    let joined = segments.iter().any(|segment| {
        let parts: Vec<&str> = segment.splitn(4, ['-', '_']).collect();
        (parts.len() >= 3 && year(parts[0]) && is_number(parts[1]) && is_number(parts[2]))
            || (segment.len() == 8 && is_number(segment) && year(&segment[..4]))
    });
    day || joined
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_id_name(name: &str) -> bool {
    matches!(
        name,
        "p" | "id"
            | "aid"
            | "nid"
            | "sid"
            | "tid"
            | "t"
            | "article"
            | "articleid"
            | "story"
            | "storyid"
            | "news_id"
            | "idxno"
            | "no"
            | "threadid"
            | "topic"
    )
}

const ASSETS: &[&str] = &[
    "jpg", "jpeg", "png", "gif", "webp", "avif", "svg", "ico", "css", "js", "mjs", "json", "xml", "rss", "atom", "rdf",
    "zip", "gz", "tgz", "rar", "7z", "exe", "dmg", "apk", "iso", "mp3", "m4a", "ogg", "wav", "flac", "mp4", "webm",
    "avi", "mov", "mkv", "doc", "docx", "xls", "xlsx", "ppt", "pptx", "pdf", "epub", "csv", "txt", "ics", "torrent",
    "woff", "woff2", "ttf",
];
const LISTS: &[&str] = &[
    "tag",
    "tags",
    "category",
    "categories",
    "author",
    "authors",
    "kategorie",
    "kategorien",
    "schlagwort",
    "topics",
    "label",
    "labels",
    "user",
    "users",
    "profile",
    "profiles",
    "member",
    "members",
    "feed",
    "feeds",
    "wp-content",
    "wp-admin",
    "wp-json",
    "cdn-cgi",
    "staff",
    "contributor",
    "contributors",
    "hashtag",
    "login",
    "signin",
    "signup",
    "register",
];
const EXCLUDED: &[&str] = &[
    "about",
    "about-us",
    "aboutus",
    "contact",
    "contact-us",
    "contacts",
    "kontakt",
    "impressum",
    "imprint",
    "datenschutz",
    "privacy",
    "privacy-policy",
    "policy",
    "policies",
    "terms",
    "terms-of-service",
    "terms-of-use",
    "tos",
    "agb",
    "legal",
    "cookies",
    "cookie-policy",
    "login",
    "logout",
    "signin",
    "sign-in",
    "signup",
    "sign-up",
    "register",
    "account",
    "my",
    "subscribe",
    "subscription",
    "subscriptions",
    "newsletter",
    "newsletters",
    "donate",
    "search",
    "suche",
    "archive",
    "archives",
    "archiv",
    "sitemap",
    "rss",
    "jobs",
    "careers",
    "advertise",
    "advertising",
    "shop",
    "cart",
    "checkout",
    "basket",
    "wishlist",
    "help",
    "faq",
    "support",
    "accessibility",
    "feedback",
    "home",
    "index",
    "start",
    "team",
    "press",
    "media-kit",
    "share",
    "intent",
    "password",
    "settings",
    "preferences",
    "license",
    "licenses",
    "colophon",
    "now",
    "uses",
    "blogroll",
    "links",
    "all",
    "latest",
    "popular",
    "trending",
    "newest",
    "submit",
    "from",
    "ask",
    "show",
    "hide",
    "vote",
    "user",
    "reply",
    "flag",
];
const ACTIONS: &[&str] = &[
    "replytocom",
    "share",
    "action",
    "add-to-cart",
    "s",
    "q",
    "query",
    "search",
    "login",
    "logout",
    "redirect_to",
    "print",
    "sort",
    "order",
    "filter",
    "do",
    "oldid",
    "diff",
    "veaction",
    "returnto",
];
const GENERIC: &[&str] = &[
    "read more",
    "more",
    "continue reading",
    "read",
    "read the full story",
    "full story",
    "comments",
    "comment",
    "share",
    "link",
    "permalink",
    "home",
    "next",
    "previous",
    "older posts",
    "newer posts",
    "older",
    "newer",
    "reply",
    "leave a comment",
    "no comments",
    "details",
    "learn more",
    "view",
    "view all",
    "see all",
    "see more",
    "show more",
    "load more",
    "click here",
    "here",
    "weiterlesen",
    "mehr",
    "mehr lesen",
    "lire la suite",
    "en savoir plus",
    "leer más",
    "leggi tutto",
    "lees meer",
    "читать далее",
    "подробнее",
    "もっと見る",
    "続きを読む",
    "阅读全文",
    "更多",
    "查看更多",
    "edit",
    "log in",
    "sign in",
    "sign up",
    "subscribe",
    "download",
    "print",
    "email",
    "facebook",
    "twitter",
    "video",
    "photos",
    "gallery",
    "discuss",
    "hide",
    "past",
    "web",
    "favorite",
];
const COUNTED: &[&str] = &[
    "comments",
    "comment",
    "replies",
    "kommentare",
    "views",
    "shares",
    "likes",
    "hours ago",
    "minutes ago",
    "days ago",
    "hour ago",
];

#[cfg(test)]
mod tests;
