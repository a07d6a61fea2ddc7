//! How rows of cells become a table of Markdown.

/// A table. Ragged rows are filled or cut to the head's width.
pub(in crate::feishu) fn table(head: &[String], rows: &[Vec<String>]) -> String {
    let width = head.len();
    let mut text = String::new();
    push_row(&mut text, head, width);
    text.push_str("\n|");
    text.push_str(&" --- |".repeat(width));
    for row in rows {
        text.push('\n');
        push_row(&mut text, row, width);
    }
    text
}

/// A table of a sheet's cells: empty rows and columns at its ends go, the first row is the head. Empty where nothing is left.
pub(in crate::feishu) fn grid(mut rows: Vec<Vec<String>>) -> String {
    while rows.last().is_some_and(|row| row.iter().all(String::is_empty)) {
        rows.pop();
    }
    let filled = |row: &Vec<String>| row.iter().rposition(|cell| !cell.is_empty()).map_or(0, |at| at + 1);
    let width = rows.iter().map(filled).max().unwrap_or_default();
    if width == 0 {
        return String::new();
    }
    let mut head = rows.remove(0);
    head.resize(width, String::new());
    table(&head, &rows)
}

fn push_row(text: &mut String, row: &[String], width: usize) {
    text.push('|');
    for column in 0..width {
        text.push(' ');
        text.push_str(&one_line(row.get(column).map_or("", String::as_str)));
        text.push_str(" |");
    }
}

/// A bar or a line's end would break the table.
fn one_line(cell: &str) -> String {
    cell.trim().replace('\r', "").replace('|', "\\|").replace('\n', "<br>")
}
