//! What a property says that does not stand in its page: titles of related pages, and the rest of long lists.

use headwater_ports::Result;
use serde_json::Value;

use super::{Values, linked_title};
use crate::notion::answer::{is_absent, is_fatal, refused};
use crate::notion::api::{Api, Ask};
use crate::notion::escape::Place;
use crate::notion::id::normal_id;
use crate::notion::index::Titles;
use crate::notion::paging::Pages;
use crate::notion::rich_text::markdown;
use crate::notion::wire::{RichText, runs, text};

/// A mark in place of the title of a page. No text of the service holds its limits.
pub(super) fn title(id: &str) -> String {
    format!("\0t{id}\0")
}

/// A mark in place of a property that is too long to stand in its page.
pub(super) fn whole_property(page: &str, property: &str) -> String {
    format!("\0p{page}/{property}\0")
}

/// The text with everything in place of its marks.
///
/// # Errors
/// What a request can end with; what is not shared is no error.
pub(in crate::notion) async fn looked_up(
    markdown: &str,
    place: Place,
    api: &Api,
    titles: &mut Titles,
) -> Result<String> {
    let mut out = String::with_capacity(markdown.len());
    for (number, part) in markdown.split('\0').enumerate() {
        match part.split_at_checked(1) {
            Some(("t", id)) if number % 2 == 1 => out.push_str(&shown_title(id, place, api, titles).await?),
            Some(("p", named)) if number % 2 == 1 => {
                let (page, property) = named.split_once('/').unwrap_or((named, ""));
                out.push_str(&shown_property(page, property, place, api, titles).await?);
            }
            _ => out.push_str(part),
        }
    }
    Ok(out)
}

async fn shown_title(id: &str, place: Place, api: &Api, titles: &mut Titles) -> Result<String> {
    let title = titles.title(api, id).await?;
    Ok(linked_title(id, title.as_deref().unwrap_or_default(), place))
}

async fn shown_property(page: &str, property: &str, place: Place, api: &Api, titles: &mut Titles) -> Result<String> {
    let ask = Ask::Property { page: page.to_owned(), property: property.to_owned() };
    let mut pages = Pages::new(ask);
    let (mut shown, mut text_runs) = (Vec::new(), Vec::new());
    loop {
        let listing = match pages.next::<Value>(api).await {
            Ok(Some(listing)) => listing,
            Ok(None) => break,
            Err(error) if is_fatal(&error) || !is_absent(&error) || refused(&error).is_none() => return Err(error),
            Err(_) => break,
        };
        for item in &listing.results {
            item_of(item, place, api, titles, &mut shown, &mut text_runs).await?;
        }
    }
    if !text_runs.is_empty() {
        shown.push(markdown(&text_runs, place));
    }
    Ok(shown.join(", "))
}

/// Adds one item of a long property. Runs of text are gathered, since they are one text.
async fn item_of(
    item: &Value,
    place: Place,
    api: &Api,
    titles: &mut Titles,
    shown: &mut Vec<String>,
    text_runs: &mut Vec<RichText>,
) -> Result<()> {
    let kind = text(item, "type").unwrap_or_default();
    let value = item.get(kind).unwrap_or(&Value::Null);
    let in_list = Value::Array(vec![value.clone()]);
    match kind {
        "title" | "rich_text" if value.is_object() => text_runs.extend(runs(&in_list)),
        "relation" if value.is_object() => {
            if let Some(id) = text(value, "id").map(normal_id) {
                shown.push(shown_title(&id, place, api, titles).await?);
            }
        }
        "people" if value.is_object() => shown.push(Values { page: "", place, titles }.value(kind, &in_list)),
        _ => {
            let words = Values { page: "", place, titles }.value(kind, value);
            let words = Box::pin(looked_up_titles(&words, place, api, titles)).await?;
            shown.extend(Some(words).filter(|words| !words.is_empty()));
        }
    }
    Ok(())
}

/// Titles alone: a value in a long list holds no long list.
async fn looked_up_titles(words: &str, place: Place, api: &Api, titles: &mut Titles) -> Result<String> {
    let mut out = String::new();
    for (number, part) in words.split('\0').enumerate() {
        match part.strip_prefix('t') {
            Some(id) if number % 2 == 1 => out.push_str(&shown_title(id, place, api, titles).await?),
            _ => out.push_str(part),
        }
    }
    Ok(out)
}
