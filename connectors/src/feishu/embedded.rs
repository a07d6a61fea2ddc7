//! How sheets and databases inside of a document become tables.

use headwater_ports::Result;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::Value;

use super::api::{Api, Found};
use super::blocks::{grid, table};
use super::calls::Listing;
use super::wire::TableField;

/// The rows of an embedded sheet, whose token is `<spreadsheet>_<sheet>`.
pub(super) async fn sheet(api: &Api, token: &str) -> Result<String> {
    let Some((spreadsheet, sheet)) = token.rsplit_once('_') else {
        return Ok(note("sheet"));
    };
    Ok(match api.sheet(spreadsheet, sheet).await? {
        Found::Here(values) => {
            let all = values.value_range.values;
            let is_cut = all.len() > MAX_ROWS;
            let rows = all.iter().take(MAX_ROWS).map(|row| row.iter().map(sheet_cell).collect()).collect();
            with_note(grid(rows), is_cut)
        }
        Found::Missing | Found::Hidden(_) => note("sheet"),
    })
}

/// The rows of an embedded database, whose token is `<app>_<table>`.
pub(super) async fn bitable(api: &Api, token: &str, zone: &TimeZone) -> Result<String> {
    let Some((app, name)) = token.rsplit_once('_') else {
        return Ok(note("database"));
    };
    let mut fields: Vec<TableField> = Vec::new();
    let mut listing = Listing::new();
    while !listing.is_over() {
        match api.fields(app, name, &mut listing).await? {
            Found::Here(page) => fields.extend(page),
            Found::Missing | Found::Hidden(_) => return Ok(note("database")),
        }
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut listing = Listing::new();
    while !listing.is_over() && rows.len() <= MAX_ROWS {
        let Found::Here(page) = api.records(app, name, &mut listing).await? else {
            return Ok(note("database"));
        };
        let row = |record: super::wire::TableRecord| {
            fields.iter().map(|field| field_cell(field, record.fields.get(&field.field_name), zone)).collect()
        };
        rows.extend(page.into_iter().map(row));
    }
    let is_cut = rows.len() > MAX_ROWS || !listing.is_over();
    rows.truncate(MAX_ROWS);
    let head: Vec<_> = fields.iter().map(|field| field.field_name.clone()).collect();
    if head.is_empty() {
        return Ok(note("database"));
    }
    Ok(with_note(table(&head, &rows), is_cut))
}

fn sheet_cell(value: &Value) -> String {
    match value {
        Value::Array(parts) => parts.iter().map(sheet_cell).collect(),
        Value::Object(fields) => text_of(fields.get("text").or_else(|| fields.get("name")).unwrap_or(&Value::Null)),
        other => text_of(other),
    }
}

fn field_cell(field: &TableField, value: Option<&Value>, zone: &TimeZone) -> String {
    let Some(value) = value else {
        return String::new();
    };
    match field.kind {
        DATE | CREATED | MODIFIED => value.as_i64().map(|at| date(at, zone)).unwrap_or_default(),
        CHECKBOX => if value.as_bool() == Some(true) { "✓" } else { "" }.to_owned(),
        _ => text_of(value),
    }
}

/// Texts, numbers, and lists and objects of them: people, choices, links, files, formulas.
fn text_of(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            // Stretches of one text follow each other; other things are listed.
            let is_text = values.iter().all(|value| value.get("type").is_some_and(|kind| kind == "text"));
            let parts: Vec<_> = values.iter().map(text_of).filter(|text| !text.is_empty()).collect();
            parts.join(if is_text { "" } else { ", " })
        }
        Value::Object(fields) => {
            let known = ["text", "name", "full_address", "value", "text_arr", "link"];
            known.iter().find_map(|name| fields.get(*name)).map(text_of).unwrap_or_default()
        }
    }
}

/// A day, or a day with its time where there is one; nothing for no time.
fn date(milliseconds: i64, zone: &TimeZone) -> String {
    let Some(at) = Timestamp::from_millisecond(milliseconds).ok().filter(|_| milliseconds != 0) else {
        return String::new();
    };
    let local = at.to_zoned(zone.clone());
    let has_time = local.hour() != 0 || local.minute() != 0;
    local.strftime(if has_time { "%Y-%m-%d %H:%M" } else { "%Y-%m-%d" }).to_string()
}

fn note(what: &str) -> String {
    format!("*[{what} not shown here]*")
}

fn with_note(table: String, is_cut: bool) -> String {
    if is_cut { format!("{table}\n\n*[only the first {MAX_ROWS} rows are shown]*") } else { table }
}

/// Rows of an embedded table that are shown.
const MAX_ROWS: usize = 5000;

const DATE: i64 = 5;
const CHECKBOX: i64 = 7;
const CREATED: i64 = 1001;
const MODIFIED: i64 = 1002;
