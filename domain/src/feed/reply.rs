//! What a reply is that is no feed: a challenge, an expired link, a refused passkey, a login or maintenance page.

use crate::ErrorKind;
use crate::secret::redact_text;
use crate::text::{excerpt, plain_text};

/// What a reply turned out to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reply {
    /// The kind of failure.
    pub kind: ErrorKind,
    /// What was seen, for people; without secrets.
    pub detail: String,
    /// What the user can do next.
    pub hint: Option<&'static str>,
}

/// Says what a text is that should have been a feed and is none.
///
/// Looks at the first 64 KiB. Ask only about texts that no parser took for a feed: a feed may quote any of the phrases.
pub fn classify(text: &str) -> Reply {
    let head = beginning(text, LOOKED_AT);
    if head.trim().is_empty() {
        return reply(ErrorKind::EmptyBody, "the body is empty", None);
    }
    challenge(head).or_else(|| refusal(head)).unwrap_or_else(|| something_else(head))
}

/// The bot challenge that a page is, if it is one.
pub fn challenge(html: &str) -> Option<Reply> {
    let head = beginning(html, LOOKED_AT).to_ascii_lowercase();
    let vendor = CHALLENGES.iter().find(|(mark, _)| head.contains(mark))?.1;
    let detail = format!("a bot challenge of {vendor} stands where the content should be");
    Some(reply(
        ErrorKind::BlockedByChallenge,
        &detail,
        Some("ask the site to let feed readers through, or fetch less often"),
    ))
}

/// A short answer that says the link expired, or that the account or its passkey is not accepted.
fn refusal(head: &str) -> Option<Reply> {
    let said = plain_text(&unescaped(beginning(head, SHORT_ANSWER)));
    let folded = fold_width(&said).to_lowercase();
    let short = || redact_text(&excerpt(&said, SHOWN)).into_owned();
    if EXPIRED.iter().any(|phrase| folded.contains(phrase)) {
        let hint = Some("get a new link from the site");
        return Some(reply(ErrorKind::Expired, &format!("the site says: {}", short()), hint));
    }
    if folded.chars().count() <= SHORT_REFUSAL && REFUSED.iter().any(|phrase| folded.contains(phrase)) {
        let hint = Some("check the passkey and the state of the account");
        return Some(reply(ErrorKind::Auth, &format!("the site says: {}", short()), hint));
    }
    None
}

fn something_else(head: &str) -> Reply {
    let shown = |text: &str| redact_text(&excerpt(text, SHOWN)).into_owned();
    let start = head.trim_start();
    let lower = beginning(start, 4096).to_ascii_lowercase();
    if is_html(&lower) {
        let title = title_of(start).map(|title| format!(" with the title {:?}", shown(&title))).unwrap_or_default();
        let kind_of_page = if is_login(head) { "a login page" } else { "an HTML page" };
        let hint = Some("open the address in a browser; it may need a login, or another address");
        return reply(ErrorKind::NotAFeed, &format!("the document is {kind_of_page}{title}"), hint);
    }
    if start.starts_with(['{', '[']) {
        let detail = format!("the document is JSON, but no feed: {}", shown(start));
        return reply(ErrorKind::NotAFeed, &detail, None);
    }
    if let Some(name) = root_name(start) {
        return reply(ErrorKind::NotAFeed, &format!("the document is XML with the root <{}>", shown(name)), None);
    }
    reply(ErrorKind::NotAFeed, &format!("the document is no feed: {}", shown(&plain_text(start))), None)
}

fn is_html(lower: &str) -> bool {
    let root = root_name(lower).unwrap_or("");
    lower.contains("<!doctype html")
        || ["html", "head", "body", "meta", "title"].contains(&root)
        || lower.contains("<html")
}

fn is_login(head: &str) -> bool {
    let lower = head.to_ascii_lowercase();
    ["type=\"password\"", "type='password'", "type=password"].iter().any(|mark| lower.contains(mark))
}

fn title_of(html: &str) -> Option<String> {
    let lower = html.to_ascii_lowercase();
    let start = lower.find("<title")?;
    let from = start + lower[start..].find('>')? + 1;
    let end = from + lower[from..].find("</title")?;
    Some(plain_text(&html[from..end])).filter(|title| !title.is_empty())
}

fn root_name(text: &str) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = &rest[rest.find('<')? + 1..];
        if rest.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            return rest.split(|c: char| c.is_whitespace() || matches!(c, '>' | '/')).next();
        }
        rest = match rest.strip_prefix("!--") {
            Some(comment) => &comment[comment.find("-->")?..],
            None => &rest[rest.find('>')?..],
        };
    }
}

/// `\u94fe` and its like, as JSON writes what is not ASCII.
fn unescaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("\\u") {
        out.push_str(&rest[..at]);
        let code = rest.get(at + 2..at + 6).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let (character, length) = match code.and_then(char::from_u32) {
            Some(character) => (character, 6),
            None => (' ', 2),
        };
        out.push(character);
        rest = &rest[at + length..];
    }
    out.push_str(rest);
    out
}

/// Full-width forms as their ASCII, so that `，！` and `,!` are the same.
fn fold_width(text: &str) -> String {
    let narrow = |c: char| match c {
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(u32::from(c) - 0xFEE0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    };
    text.chars().map(narrow).collect()
}

fn beginning(text: &str, bytes: usize) -> &str {
    let mut end = bytes.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn reply(kind: ErrorKind, detail: &str, hint: Option<&'static str>) -> Reply {
    Reply { kind, detail: detail.to_owned(), hint }
}

/// What gives a challenge away, in lower case, and whose it is.
const CHALLENGES: [(&str, &str); 22] = [
    ("cf-browser-verification", "Cloudflare"),
    ("cf-challenge", "Cloudflare"),
    ("cf_chl_opt", "Cloudflare"),
    ("/cdn-cgi/challenge-platform", "Cloudflare"),
    ("<title>just a moment...</title>", "Cloudflare"),
    ("attention required! | cloudflare", "Cloudflare"),
    ("checking your browser before accessing", "Cloudflare"),
    ("ddos protection by", "a DDoS protection"),
    ("ddos-guard", "DDoS-Guard"),
    ("sucuri_cloudproxy_js", "Sucuri"),
    ("sucuri website firewall", "Sucuri"),
    ("_incapsula_resource", "Imperva"),
    ("captcha-delivery.com", "DataDome"),
    ("px-captcha", "HUMAN"),
    ("awswaf", "AWS WAF"),
    ("window.gokuprops", "AWS WAF"),
    ("making sure you&#39;re not a bot", "Anubis"),
    ("making sure you're not a bot", "Anubis"),
    ("within.website/x/cmd/anubis", "Anubis"),
    ("vercel security checkpoint", "Vercel"),
    ("g-recaptcha-response", "reCAPTCHA"),
    ("slowaes.decrypt", "a script check"),
];

/// Phrases of trackers whose feed links expire, width folded and in lower case.
const EXPIRED: [&str; 7] = [
    "rss 链接已过期",
    "rss链接已过期",
    "rss 鏈接已過期",
    "链接已过期, 您需要获得一个新的",
    "链接已过期,您需要获得一个新的",
    "rss link has expired",
    "rss link is expired",
];

/// Phrases with which an account or its key is refused.
const REFUSED: [&str; 14] = [
    "invalid passkey",
    "passkey invalid",
    "invalid rsskey",
    "invalid torrent_pass",
    "invalid authkey",
    "account disabed or parked",
    "account disabled or parked",
    "account is disabled",
    "account has been disabled",
    "passkey无效",
    "无效的passkey",
    "passkey 无效",
    "invalid api key",
    "unauthorized",
];

/// So many bytes are looked at.
const LOOKED_AT: usize = 64 * 1024;
/// An answer in words stands within so many bytes.
const SHORT_ANSWER: usize = 8 * 1024;
/// A refusal is a sentence, not a page.
const SHORT_REFUSAL: usize = 300;
/// So many characters of what was seen are shown.
const SHOWN: usize = 120;

#[cfg(test)]
mod tests;
