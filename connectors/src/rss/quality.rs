//! Whether a page is the article that a feed's item speaks of, and not what stands in its place.

use std::collections::HashSet;

/// What is known of an item and of the page that its link led to; all texts are plain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Page<'p> {
    /// The item's title.
    pub(super) item_title: &'p str,
    /// The item's own body.
    pub(super) item_text: &'p str,
    /// The page's title.
    pub(super) title: &'p str,
    /// The page's text.
    pub(super) text: &'p str,
    /// The path and query of the item's link.
    pub(super) asked: &'p str,
    /// Where it led.
    pub(super) came: &'p str,
}

impl Page<'_> {
    /// Why the page cannot be the article, if so.
    pub(super) fn fault(&self) -> Option<&'static str> {
        let length = self.text.chars().count();
        if length == 0 {
            return Some("it has no text");
        }
        if is_login(self.came) && !is_login(self.asked) {
            return Some("it asks to log in");
        }
        if length < WALL_CHARS && is_wall(self.title, self.text) && !is_wall(self.item_title, "") {
            return Some("it is a wall or an error page");
        }
        let own = self.item_text.chars().count();
        if own >= SUBSTANTIAL_CHARS && share(self.item_text, self.text) < LEAST_SHARE {
            return Some("it says something else than the feed");
        }
        if own > 2 * length && length < STUB_CHARS {
            return Some("it holds less than the feed");
        }
        None
    }
}

/// The share of the words of `wanted` that stand in `found`, from 0 to 1.
fn share(wanted: &str, found: &str) -> f64 {
    let wanted = words(wanted);
    let found = words(found);
    if wanted.is_empty() {
        return 1.0;
    }
    wanted.intersection(&found).count() as f64 / wanted.len() as f64
}

/// Words of four letters and more; of scripts without blanks, pairs of characters.
fn words(text: &str) -> HashSet<String> {
    let mut words = HashSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()).take(MAX_WORDS) {
        let letters: Vec<char> = word.chars().flat_map(char::to_lowercase).collect();
        if word.is_ascii() || letters.iter().all(|c| (*c as u32) < 0x2E80) {
            if letters.len() >= 4 {
                words.insert(letters.into_iter().collect());
            }
            continue;
        }
        words.extend(letters.windows(2).map(|pair| pair.iter().collect()));
    }
    words
}

fn is_login(path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default().to_ascii_lowercase();
    path.split(['/', '.']).any(|part| LOGIN_PATHS.contains(&part))
}

fn is_wall(title: &str, text: &str) -> bool {
    let title = title.to_lowercase();
    let beginning: String = text.chars().take(300).collect::<String>().to_lowercase();
    WALL_TITLES.iter().any(|words| title.contains(words)) || WALL_TEXTS.iter().any(|words| beginning.contains(words))
}

const LOGIN_PATHS: [&str; 9] =
    ["login", "log-in", "signin", "sign-in", "sign_in", "auth", "sso", "subscribe", "paywall"];

/// What titles of walls and error pages say.
const WALL_TITLES: [&str; 22] = [
    "log in",
    "login",
    "sign in",
    "sign-in",
    "subscribe to",
    "access denied",
    "forbidden",
    "unauthorized",
    "not found",
    "error 404",
    "404",
    "403",
    "500",
    "502",
    "503",
    "service unavailable",
    "internal server error",
    "just a moment",
    "are you a robot",
    "verify you are human",
    "登录",
    "页面不存在",
];

/// What the first words of walls and error pages say.
const WALL_TEXTS: [&str; 17] = [
    "please log in",
    "please sign in",
    "log in to continue",
    "sign in to continue",
    "subscribe to continue",
    "subscribe to read",
    "you must be logged in",
    "enable javascript",
    "javascript is disabled",
    "access denied",
    "page not found",
    "page you requested could not be found",
    "page you are looking for",
    "verify you are human",
    "something went wrong",
    "请登录",
    "请先登录",
];

/// Walls are short.
const WALL_CHARS: usize = 1500;

/// From so many characters on, what the feed says of an item must stand in its page.
const SUBSTANTIAL_CHARS: usize = 200;

/// So much of it.
const LEAST_SHARE: f64 = 0.3;

/// Shorter texts may be the beginning of an article behind a wall.
const STUB_CHARS: usize = 600;

/// Words that are looked at.
const MAX_WORDS: usize = 20_000;

#[cfg(test)]
mod tests;
