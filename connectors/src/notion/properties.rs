//! What the properties of a row are in Markdown.

mod lookup;

use serde_json::{Map, Value};

use super::blocks::{Attachment, Source, attachment, child_id, icon_text};
use super::escape::{Place, escaped, target};
use super::id::{normal_id, stable_link, whole_link};
use super::index::Titles;
use super::rich_text::{dates, markdown};
use super::wire::{runs, text};

pub(super) use lookup::looked_up;

/// How properties of a page are written.
#[derive(Clone, Copy)]
pub(super) struct Values<'a> {
    /// The page.
    pub(super) page: &'a str,
    /// Where they will stand.
    pub(super) place: Place,
    /// Titles of related pages, as far as they are known. What is not is left as a mark, to be
    /// [`looked_up`] where the text is needed.
    pub(super) titles: &'a Titles,
}

impl Values<'_> {
    /// A property as the page has it; empty where it has no value.
    pub(super) fn of(&self, property: &Value) -> String {
        let kind = text(property, "type").unwrap_or_default();
        let value = property.get(kind).unwrap_or(&Value::Null);
        if is_cut(kind, property, value)
            && let Some(id) = text(property, "id")
        {
            return lookup::whole_property(self.page, id);
        }
        match kind {
            "files" => self.files(value, text(property, "id").unwrap_or_default()),
            _ => self.value(kind, value),
        }
    }

    /// A value of a type.
    fn value(&self, kind: &str, value: &Value) -> String {
        match kind {
            "title" | "rich_text" => markdown(&runs(value), self.place),
            "number" => number(value),
            "select" | "status" => self.name(value),
            "multi_select" => self.each(value, |option| self.name(option)),
            "date" => dates(value).unwrap_or_default(),
            "people" => self.each(value, |user| self.user(user)),
            "created_by" | "last_edited_by" => self.user(value),
            "files" => self.each(value, |file| self.foreign_file(file)),
            "checkbox" => value.as_bool().map(|yes| yes.to_string()).unwrap_or_default(),
            "url" => value.as_str().map(|url| self.link(url, url)).unwrap_or_default(),
            "email" | "phone_number" | "created_time" | "last_edited_time" => self.words(value.as_str()),
            "formula" => self.formula(value),
            "relation" => self.each(value, |page| self.related(page)),
            "rollup" => self.rollup(value),
            "unique_id" => self.unique_id(value),
            "verification" => self.verification(value),
            "place" => self.where_it_is(value),
            "button" | "" => String::new(),
            other => self.unknown(other),
        }
    }

    fn words(&self, words: Option<&str>) -> String {
        escaped(words.unwrap_or_default(), self.place)
    }

    fn name(&self, option: &Value) -> String {
        self.words(text(option, "name"))
    }

    fn each(&self, list: &Value, show: impl Fn(&Value) -> String) -> String {
        let shown: Vec<_> = list.as_array().into_iter().flatten().map(show).filter(|text| !text.is_empty()).collect();
        shown.join(", ")
    }

    /// A person's name; the id where the integration may not read people.
    fn user(&self, user: &Value) -> String {
        self.words(text(user, "name").or_else(|| text(user, "id")))
    }

    fn link(&self, words: &str, url: &str) -> String {
        format!("[{}]({})", escaped(words, self.place), target(&whole_link(url)))
    }

    fn files(&self, list: &Value, property: &str) -> String {
        let files = list.as_array().into_iter().flatten().enumerate();
        let shown = files.map(|(number, file)| match file.get("file").and_then(|held| text(held, "url")) {
            Some(_) => {
                let name = text(file, "name").unwrap_or("file");
                let place = child_id(self.page, &token(property, number));
                format!("[{}]({})", escaped(name, self.place), target(&place))
            }
            None => self.foreign_file(file),
        });
        shown.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", ")
    }

    /// A file that somebody else holds, or another page.
    fn foreign_file(&self, file: &Value) -> String {
        let url = file.get("external").and_then(|external| text(external, "url"));
        match url {
            Some(url) => self.link(text(file, "name").unwrap_or(url), url),
            None => self.name(file),
        }
    }

    fn formula(&self, formula: &Value) -> String {
        let kind = text(formula, "type").unwrap_or_default();
        let value = formula.get(kind).unwrap_or(&Value::Null);
        match kind {
            "boolean" => value.as_bool().map(|yes| yes.to_string()).unwrap_or_default(),
            "string" => self.words(value.as_str()),
            other => self.value(other, value),
        }
    }

    fn related(&self, page: &Value) -> String {
        let Some(id) = text(page, "id").map(normal_id) else { return String::new() };
        match self.titles.known(&id) {
            Some(title) => linked_title(&id, title, self.place),
            None => lookup::title(&id),
        }
    }

    /// The values that a rollup gathers carry no id of their own.
    fn rollup(&self, rollup: &Value) -> String {
        let kind = text(rollup, "type").unwrap_or_default();
        let value = rollup.get(kind).unwrap_or(&Value::Null);
        match kind {
            "array" => self.each(value, |item| {
                let kind = text(item, "type").unwrap_or_default();
                // One rollup may gather another: the service allows one level, and more is not followed.
                if kind == "rollup" { String::new() } else { self.value(kind, item.get(kind).unwrap_or(&Value::Null)) }
            }),
            "unsupported" | "incomplete" => self.unknown(&format!("rollup, {kind}")),
            other => self.value(other, value),
        }
    }

    fn unique_id(&self, id: &Value) -> String {
        let number = number(id.get("number").unwrap_or(&Value::Null));
        match text(id, "prefix") {
            Some(prefix) if !number.is_empty() => self.words(Some(&format!("{prefix}-{number}"))),
            _ => number,
        }
    }

    fn verification(&self, verification: &Value) -> String {
        let mut shown = self.words(text(verification, "state"));
        if let Some(by) = verification.get("verified_by").map(|user| self.user(user)).filter(|name| !name.is_empty()) {
            shown = format!("{shown} by {by}");
        }
        match verification.get("date").and_then(dates) {
            Some(dates) => format!("{shown}, {dates}"),
            None => shown,
        }
    }

    fn where_it_is(&self, place: &Value) -> String {
        let words = ["name", "address"].into_iter().filter_map(|field| text(place, field));
        let mut shown: Vec<_> = words.map(|words| escaped(words, self.place)).collect();
        let degrees = |field| place.get(field).map(number).filter(|number| !number.is_empty());
        if let (Some(lat), Some(lon)) = (degrees("lat"), degrees("lon")) {
            shown.push(format!("({lat}, {lon})"));
        }
        shown.join(", ")
    }

    fn unknown(&self, kind: &str) -> String {
        format!("*[Notion property “{}” cannot be read]*", escaped(kind, self.place))
    }
}

/// The files that the service holds for the properties of a page.
pub(super) fn held_files(page: &str, properties: &Map<String, Value>) -> Vec<Attachment> {
    let mut held = Vec::new();
    for (name, property) in sorted(properties) {
        let id = text(property, "id").unwrap_or_default();
        let list = property.get("files").and_then(Value::as_array);
        for (number, file) in list.into_iter().flatten().enumerate() {
            let source = Source::Property(name.clone(), number);
            held.extend(attachment(file, child_id(page, &token(id, number)), source));
        }
    }
    held
}

/// Properties by name: the order of the service's JSON is no order.
pub(super) fn sorted(properties: &Map<String, Value>) -> Vec<(&String, &Value)> {
    let mut sorted: Vec<_> = properties.iter().collect();
    sorted.sort_by_key(|(name, _)| *name);
    sorted
}

/// A number as people write it: no exponents, no digits that were not there.
fn number(value: &Value) -> String {
    let Value::Number(number) = value else { return String::new() };
    match number.as_f64() {
        Some(float) if number.is_f64() => float.to_string(),
        _ => number.to_string(),
    }
}

/// Only 25 references stand in a page; the others have to be asked for.
fn is_cut(kind: &str, property: &Value, value: &Value) -> bool {
    let more = property.get("has_more").and_then(Value::as_bool).unwrap_or_default();
    let list = if kind == "rollup" { value.get("array") } else { Some(value) };
    let count = list.and_then(Value::as_array).map_or(0, Vec::len);
    more || (matches!(kind, "rich_text" | "relation" | "people" | "rollup") && count >= MAX_REFERENCES)
}

fn linked_title(id: &str, title: &str, place: Place) -> String {
    let title = if title.is_empty() { "Untitled" } else { title };
    format!("[{}]({})", escaped(title, place), stable_link(id))
}

fn token(property: &str, number: usize) -> String {
    format!("{property}.{number}")
}

/// The icon of a page, as a fact about it.
pub(super) fn icon(value: &Value) -> Option<String> {
    Some(icon_text(value)).filter(|icon| !icon.is_empty())
}

const MAX_REFERENCES: usize = 25;
