//! How sheets and data tables become tables of Markdown.

use headwater_domain::ErrorKind;
use headwater_ports::{Error, Result};
use serde::Deserialize;
use serde_json::Value;

use super::config::OPERATION;

/// The sheets of a `body_sheet`, each with its name as heading.
pub(super) fn sheets(body: &str) -> Result<String> {
    let workbook: Workbook = serde_json::from_str(body).map_err(|error| unreadable("sheet").with_source(error))?;
    let mut text = String::new();
    for sheet in workbook.data {
        let rows = sheet.table.iter().map(|row| row.iter().map(cell).collect()).collect();
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str("## ");
        text.push_str(&one_line(&sheet.name));
        text.push_str("\n\n");
        push_table(&mut text, rows, Head::FirstRow);
    }
    Ok(text)
}

/// One page of a `body_table`.
pub(super) fn table_page(body: &str) -> Result<TablePage> {
    serde_json::from_str(body).map_err(|error| unreadable("data table").with_source(error))
}

/// A data table of these records. The API does not give the names of the columns: they are numbered.
pub(super) fn table(records: &[Record]) -> String {
    let rows = records.iter().map(|record| record.values.iter().map(|value| cell(&value.value)).collect()).collect();
    let mut text = String::new();
    push_table(&mut text, rows, Head::Numbers);
    text
}

/// A page of a data table.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct TablePage {
    #[serde(default)]
    pub(super) total_count: Option<u64>,
    #[serde(default)]
    pub(super) records: Vec<Record>,
}

/// A row of a data table.
#[derive(Debug, Deserialize)]
pub(super) struct Record {
    #[serde(default)]
    values: Vec<RecordValue>,
}

#[derive(Debug, Deserialize)]
struct RecordValue {
    #[serde(default)]
    value: Value,
}

#[derive(Debug, Deserialize)]
struct Workbook {
    #[serde(default)]
    data: Vec<Sheet>,
}

#[derive(Debug, Deserialize)]
struct Sheet {
    #[serde(default)]
    name: String,
    #[serde(default)]
    table: Vec<Vec<Value>>,
}

/// What stands above a table.
#[derive(Clone, Copy)]
enum Head {
    FirstRow,
    Numbers,
}

/// Adds a table without the empty rows and columns at its ends; ragged rows are filled.
fn push_table(text: &mut String, mut rows: Vec<Vec<String>>, head: Head) {
    while rows.last().is_some_and(|row| row.iter().all(String::is_empty)) {
        rows.pop();
    }
    let filled = |row: &Vec<String>| row.iter().rposition(|cell| !cell.is_empty()).map_or(0, |at| at + 1);
    let width = rows.iter().map(filled).max().unwrap_or_default();
    if width == 0 {
        return;
    }
    let numbers = (1..=width).map(|number| number.to_string()).collect();
    let first = match head {
        Head::FirstRow => rows.remove(0),
        Head::Numbers => numbers,
    };
    push_row(text, &first, width);
    text.push('|');
    text.push_str(&" --- |".repeat(width));
    text.push('\n');
    rows.iter().for_each(|row| push_row(text, row, width));
}

fn push_row(text: &mut String, row: &[String], width: usize) {
    text.push('|');
    for column in 0..width {
        text.push(' ');
        text.push_str(row.get(column).map_or("", String::as_str));
        text.push_str(" |");
    }
    text.push('\n');
}

/// A value in a table's cell: lists are joined, people and files named, dates as written.
fn cell(value: &Value) -> String {
    let text = match value {
        Value::Null => String::new(),
        Value::Bool(value) => value.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(cell).filter(|text| !text.is_empty()).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => ["name", "text", "time", "value"]
            .iter()
            .find_map(|name| fields.get(*name)?.as_str())
            .unwrap_or_default()
            .to_owned(),
    };
    escaped(text.trim())
}

/// A bar or a line's end would break the table. What a list's cells have escaped is left alone.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    let mut last = ' ';
    for character in text.chars() {
        match character {
            '|' if last != '\\' => safe.push_str("\\|"),
            '\r' => {}
            '\n' => safe.push_str("<br>"),
            other => safe.push(other),
        }
        last = character;
    }
    safe
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn unreadable(what: &str) -> Error {
    Error::new(ErrorKind::Malformed, OPERATION, format!("the {what} is not written as the API promises"))
}

#[cfg(test)]
mod tests;
