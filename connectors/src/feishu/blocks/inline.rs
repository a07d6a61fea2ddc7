//! How stretches of text become Markdown.

use url::Url;

use super::Found;
use crate::feishu::wire::{Element, ElementStyle, TextRun};

/// A line of text with its styles, links, mentions and equations.
pub(super) fn inline(elements: &[Element], found: &Found) -> String {
    let mut text = String::new();
    for element in elements {
        if let Some(run) = &element.text_run {
            push_run(&mut text, run);
        } else if let Some(user) = &element.mention_user {
            text.push('@');
            text.push_str(&escaped(&user.user_id));
        } else if let Some(document) = &element.mention_doc {
            push_link(&mut text, &escaped(&document.title), &document.url);
        } else if let Some(preview) = &element.link_preview {
            push_link(&mut text, &escaped(&preview.title), &preview.url);
        } else if let Some(equation) = &element.equation {
            text.push_str(&format!("${}$", equation.content.trim()));
        } else if let Some(file) = element.file.as_ref().and_then(|file| found.get(&file.file_token)) {
            text.push_str(&format!("[{}]({})", escaped(file), target(file)));
        } else if let Some(day) = element.reminder.as_ref().and_then(|reminder| day(&reminder.expire_time)) {
            text.push_str(&day);
        }
    }
    text
}

/// The bare words, as they stand in code.
pub(super) fn plain(elements: &[Element]) -> String {
    elements
        .iter()
        .map(|element| match (&element.text_run, &element.equation) {
            (Some(run), _) => run.content.as_str(),
            (None, Some(equation)) => equation.content.as_str(),
            (None, None) => "",
        })
        .collect()
}

/// A text in which nothing is taken for a mark.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut at_line_start = true;
    let mut before = ' ';
    let mut rest = text.chars().peekable();
    while let Some(character) = rest.next() {
        let inside_word = before.is_alphanumeric() && rest.peek().is_some_and(|next| next.is_alphanumeric());
        let is_mark = match character {
            '\\' | '`' | '*' | '[' | ']' | '<' => true,
            '_' => !inside_word,
            '#' | '>' | '+' | '-' => at_line_start,
            _ => false,
        };
        if is_mark {
            safe.push('\\');
        }
        safe.push(character);
        at_line_start = character == '\n' || (at_line_start && character == ' ');
        before = character;
    }
    safe
}

/// A file's name as the target of a link.
pub(super) fn target(name: &str) -> String {
    let mut target = String::with_capacity(name.len());
    for character in name.chars() {
        match character {
            ' ' | '(' | ')' | '<' | '>' | '%' | '"' | '\\' | '#' | '?' => {
                target.push_str(&format!("%{:02X}", u32::from(character)))
            }
            other => target.push(other),
        }
    }
    target
}

/// The web address that is written percent-encoded as a whole; none if it is none, or leads anywhere but the web.
pub(super) fn decoded_url(text: &str) -> Option<String> {
    let once = url::form_urlencoded::parse(format!("u={}", text.replace('+', "%2B").replace('&', "%26")).as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())?;
    let url = [once.as_str(), text].into_iter().find_map(|text| Url::parse(text).ok())?;
    matches!(url.scheme(), "http" | "https" | "mailto").then(|| url.to_string().replace('(', "%28").replace(')', "%29"))
}

fn push_run(text: &mut String, run: &TextRun) {
    let content = run.content.as_str();
    let words = content.trim();
    if words.is_empty() {
        text.push_str(content);
        return;
    }
    // Marks must touch the words: blanks stay outside.
    let (before, after) = content.split_at(content.find(words).unwrap_or_default());
    let after = &after[words.len()..];
    text.push_str(before);
    let style = &run.text_element_style;
    match style.link.as_ref().and_then(|link| decoded_url(&link.url)) {
        Some(url) => text.push_str(&format!("[{}]({url})", styled(words, style))),
        None => text.push_str(&styled(words, style)),
    }
    text.push_str(after);
}

fn styled(words: &str, style: &ElementStyle) -> String {
    let mut text = if style.inline_code { code(words) } else { escaped(words) };
    if style.underline {
        text = format!("<u>{text}</u>");
    }
    if style.strikethrough {
        text = format!("~~{text}~~");
    }
    if style.italic {
        text = format!("*{text}*");
    }
    if style.bold {
        text = format!("**{text}**");
    }
    text
}

fn code(words: &str) -> String {
    let longest = words.split(|character| character != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    if longest > 0 { format!("{fence} {words} {fence}") } else { format!("{fence}{words}{fence}") }
}

fn push_link(text: &mut String, title: &str, url: &str) {
    match decoded_url(url) {
        Some(url) if title.is_empty() => text.push_str(&format!("<{url}>")),
        Some(url) => text.push_str(&format!("[{title}]({url})")),
        None => text.push_str(title),
    }
}

fn day(milliseconds: &str) -> Option<String> {
    let at = jiff::Timestamp::from_millisecond(milliseconds.parse().ok()?).ok()?;
    Some(at.to_string().chars().take(10).collect())
}
