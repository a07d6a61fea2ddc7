//! Sheets and data tables keep their cells.

use super::{Record, sheets, table, table_page};

#[test]
fn a_workbook_has_a_table_a_sheet() {
    let body = r#"{"version":"1.0","data":[
        {"name":"价目","index":0,"table":[["品","价",""],["茶|绿","1\n2"],["",""]]},
        {"name":"空","index":1,"table":[]}]}"#;
    let expected = "## 价目\n\n| 品 | 价 |\n| --- | --- |\n| 茶\\|绿 | 1<br>2 |\n\n## 空\n\n";
    assert_eq!(sheets(body).unwrap(), expected);
}

#[test]
fn values_of_every_kind_are_shown() {
    let page = table_page(
        r#"{"totalCount":2,"records":[
        {"values":[{"value":"text"},{"value":["o1","o2"]},{"value":[{"name":"a.pdf","src":"u"}]},
                   {"value":{"seconds":1,"text":"2026-03-02","time":"x"}},{"value":null},{"value":1.5}]},
        {"values":[]}],"pageSize":100,"page":1}"#,
    )
    .unwrap();
    assert_eq!(page.total_count, Some(2));
    let expected = "| 1 | 2 | 3 | 4 | 5 | 6 |\n| --- | --- | --- | --- | --- | --- |\n\
                    | text | o1, o2 | a.pdf | 2026-03-02 |  | 1.5 |\n";
    assert_eq!(table(&page.records), expected);
}

#[test]
fn what_is_no_sheet_is_refused() {
    assert!(sheets("LAKE{").is_err());
    assert!(table_page("").is_err());
    assert_eq!(table(&Vec::<Record>::new()), "");
}
