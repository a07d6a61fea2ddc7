//! What a table of a document is in Markdown, row by row.

use serde_json::Value;

use crate::notion::escape::Place;
use crate::notion::rich_text::markdown;
use crate::notion::wire::{Block, runs};

/// A table, as far as its rows need to know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::notion) struct Shape {
    columns: usize,
    has_column_header: bool,
    has_row_header: bool,
}

impl Shape {
    pub(super) fn of(payload: &Value) -> Self {
        let is = |name| payload.get(name).and_then(Value::as_bool).unwrap_or_default();
        let columns = payload.get("table_width").and_then(Value::as_u64).and_then(|width| usize::try_from(width).ok());
        Self {
            columns: columns.unwrap_or(1).clamp(1, MAX_COLUMNS),
            has_column_header: is("has_column_header"),
            has_row_header: is("has_row_header"),
        }
    }

    /// The lines of a row. The first one brings the head with it, which Markdown wants in any case.
    pub(super) fn lines(self, block: &Block, row: usize) -> String {
        let is_head = row == 0 && self.has_column_header;
        let cells = self.cells(block, is_head);
        let rule = line(&vec!["---".to_owned(); self.columns]);
        match row {
            0 if is_head => format!("{}\n{rule}", line(&cells)),
            0 => format!("{}\n{rule}\n{}", line(&vec![String::new(); self.columns]), line(&cells)),
            _ => line(&cells),
        }
    }

    fn cells(self, block: &Block, is_head: bool) -> Vec<String> {
        let list = block.payload().get("cells").and_then(Value::as_array);
        let mut cells: Vec<_> =
            list.into_iter().flatten().map(|cell| markdown(&runs(cell), Place::Cell).trim().to_owned()).collect();
        cells.resize(self.columns.max(cells.len().min(MAX_COLUMNS)), String::new());
        if self.has_row_header && !is_head && !cells[0].is_empty() && !cells[0].starts_with("**") {
            cells[0] = format!("**{}**", cells[0]);
        }
        cells
    }
}

/// A line of a table.
pub(in crate::notion) fn line(cells: &[String]) -> String {
    let mut line = String::from("|");
    for cell in cells {
        line.push_str(&format!(" {} |", if cell.is_empty() { " " } else { cell }));
    }
    line
}

const MAX_COLUMNS: usize = 500;
