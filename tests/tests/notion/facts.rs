//! Is each fault that others are known for handled the better way?

use headwater_domain::ErrorKind;
use headwater_tests::stand_in::notion::{Fault, Place, Trouble, rich};
use serde_json::json;

use super::kit::Kit;

fn refusing(words: &str, times: usize) -> Fault {
    Fault { words: words.to_owned(), times, trouble: Trouble::Refused(503, "service_unavailable") }
}

#[tokio::test]
async fn a_search_that_fails_deletes_nothing_and_is_told() {
    let mut kit = Kit::new().await;
    let page = kit.server.world().add_page(&Place::Workspace, "Kept");
    kit.sync(&[]).await.unwrap().assert_success();
    kit.server.world().meet(refusing("/v1/search", usize::MAX));
    let error = kit.sync(&[]).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::HttpStatus);
    let run = kit.sync(&[&page]).await.unwrap();
    assert!(run.failed.iter().any(|failed| failed.resource_id.as_deref() == Some("search")), "{:?}", run.failed);
    assert!(kit.has(&page) && run.deleted.is_empty());
    kit.server.world().heal();
    let run = kit.sync(&[]).await.unwrap();
    run.assert_success();
    assert!(kit.has(&page) && run.deleted.is_empty());
}

#[tokio::test]
async fn a_body_that_fails_is_told_and_comes_the_next_time() {
    let mut kit = Kit::new().await;
    let page = {
        let mut world = kit.server.world();
        let page = world.add_page(&Place::Workspace, "Guide");
        world.set_text(&page, "first");
        world.meet(refusing(&format!("/v1/blocks/{page}/children"), 5));
        page
    };
    let run = kit.sync(&[&page]).await.unwrap();
    assert_eq!(run.failed[0].external_id.as_deref(), Some(page.as_str()));
    assert_eq!(run.failed[0].params["vendor_code"], "service_unavailable");
    assert!(!kit.has(&page));
    let run = kit.sync(&[&page]).await.unwrap();
    run.assert_success();
    assert!(kit.text(&page).contains("first"));
}

#[tokio::test]
async fn an_unchanged_source_is_unchanged_in_every_run() {
    let mut kit = Kit::new().await;
    let top = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        let [_, source] = world.add_database(&Place::Page(top.clone()), "Tasks", json!({"No": {"type": "number"}}));
        for number in 0..2 {
            world.add_row(&source, &format!("Row {number}"), json!({"No": {"type": "number", "number": number}}));
        }
        top
    };
    let first = kit.sync(&[&top]).await.unwrap();
    assert_eq!(first.emitted.len(), 4, "a page, two rows and their table, each once");
    for _ in 0..40 {
        let run = kit.sync(&[&top]).await.unwrap();
        run.assert_success();
        assert_eq!((run.emitted.len(), run.deleted.len(), run.unchanged), (0, 0, 4));
        assert_eq!(run.asked_for("/children"), 0);
    }
}

#[tokio::test]
async fn a_row_that_goes_takes_its_line_from_the_table() {
    let mut kit = Kit::new().await;
    let (database, source, rows) = {
        let mut world = kit.server.world();
        let [database, source] = world.add_database(&Place::Workspace, "Tasks", json!({}));
        let rows: Vec<_> = (0..3).map(|number| world.add_row(&source, &format!("Row {number}"), json!({}))).collect();
        (database, source, rows)
    };
    kit.sync(&[&database]).await.unwrap().assert_success();
    assert!(kit.text(&source).contains("Row 1"));
    kit.server.world().trash(&rows[1]);
    let run = kit.sync(&[&database]).await.unwrap();
    run.assert_success();
    assert_eq!((run.deleted, run.emitted), (vec![rows[1].clone()], vec![source.clone()]));
    assert!(!kit.text(&source).contains("Row 1") && kit.text(&source).contains("Row 2"));
    for row in [&rows[0], &rows[2]] {
        kit.server.world().remove(row);
    }
    let run = kit.sync(&[&database]).await.unwrap();
    assert_eq!(run.deleted.len(), 2);
    assert!(!kit.text(&source).contains("Row"), "a table whose rows are all gone is empty");
}

#[tokio::test]
async fn a_selected_root_that_is_not_there_is_named() {
    let mut kit = Kit::new().await;
    let (page, lost) = {
        let mut world = kit.server.world();
        (world.add_page(&Place::Workspace, "Here"), world.add_page(&Place::Workspace, "Lost"))
    };
    kit.sync(&[&page, &lost]).await.unwrap().assert_success();
    kit.server.world().hide(&lost, true);
    let run = kit.sync(&[&page, &lost]).await.unwrap();
    assert_eq!(run.failed.len(), 1);
    assert_eq!(run.failed[0].resource_id.as_deref(), Some(lost.as_str()));
    assert_eq!(run.failed[0].params["vendor_code"], "object_not_found");
    assert!(kit.has(&lost) && run.deleted.is_empty(), "a root that is taken away deletes nothing");
    kit.server.world().hide(&lost, false);
    kit.server.world().trash(&lost);
    let run = kit.sync(&[&lost]).await.unwrap();
    assert_eq!(run.failed[0].kind, ErrorKind::Gone);
    assert!(kit.has(&lost));
}

#[tokio::test]
async fn nothing_that_a_row_says_is_lost() {
    let mut kit = Kit::new().await;
    let (database, row, other) = {
        let mut world = kit.server.world();
        let schema = json!({
            "Links": {"type": "relation"}, "No": {"type": "unique_id"}, "Ok": {"type": "verification"},
            "Sum": {"type": "number"}, "Words": {"type": "rich_text"},
        });
        let [database, source] = world.add_database(&Place::Workspace, "Tasks", schema);
        let other = world.add_page(&Place::Workspace, "Other page");
        let mut words = rich("Hello ");
        words.as_array_mut().unwrap().extend(rich("world").as_array().unwrap().clone());
        let row = world.add_row(
            &source,
            "Row",
            json!({
                "Links": {"type": "relation", "relation": [{"id": other}]},
                "No": {"type": "unique_id", "unique_id": {"prefix": "OPS", "number": 17}},
                "Ok": {"type": "verification", "verification": {"state": "verified", "verified_by": {"object": "user", "name": "Ada"}, "date": null}},
                "Sum": {"type": "number", "number": 12_345_678.9},
                "Words": {"type": "rich_text", "rich_text": words},
            }),
        );
        let nested = json!({"type": "to_do", "to_do": {"rich_text": rich("done"), "checked": true},
            "children": [{"type": "paragraph", "paragraph": {"rich_text": rich("below")},
                "children": [{"type": "paragraph", "paragraph": {"rich_text": rich("deeper")}}]}]});
        world.set_blocks(&row, &[nested]);
        (database, row, other)
    };
    kit.sync(&[&database]).await.unwrap().assert_success();
    let text = kit.text(&row);
    let link = format!("[Other page](https://www.notion.so/{})", other.replace('-', ""));
    for words in [&link, "OPS-17", "verified by Ada", "12345678.9", "Hello world", "- [x] done", "below", "deeper"] {
        assert!(text.contains(words), "{words:?} is not in {text}");
    }
}
