//! Does the connector stay within the limits, the service's and its own?

use headwater_domain::ErrorKind;
use headwater_ports::Clock;
use headwater_tests::stand_in::notion::{Place, rich};
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::kit::Kit;

#[tokio::test]
async fn the_pace_never_meets_the_limit_and_wastes_none_of_it() {
    let mut kit = Kit::new().await;
    let top = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        for number in 0..1000 {
            world.add_page(&Place::Page(top.clone()), &format!("P{number}"));
        }
        world.limit = Some(180);
        top
    };
    kit.clock.advance(SignedDuration::from_hours(1));
    let before = kit.clock.now();
    let run = kit.sync_now(&[&top]).await.unwrap();
    run.assert_success();
    assert_eq!(run.emitted.len(), 1001);
    let seconds = kit.clock.now().duration_since(before).as_secs_f64();
    let fastest = run.asked.len() as f64 / 3.0;
    assert_eq!(run.asked.len(), kit.server.requests().len(), "no request was throttled and sent again");
    assert!(seconds < fastest * 1.05, "{} requests took {seconds} s, {fastest} s would do", run.asked.len());
}

#[tokio::test]
async fn more_rows_than_a_query_lists_are_read_window_by_window() {
    let mut kit = Kit::new().await;
    let (database, rows) = {
        let mut world = kit.server.world();
        let [database, source] = world.add_database(&Place::Workspace, "Log", json!({}));
        world.row_cap = 10;
        let rows: Vec<_> = (0..35)
            .map(|number| {
                if number % 5 == 0 {
                    kit.clock.advance(SignedDuration::from_mins(3));
                }
                world.add_row(&source, &format!("Row {number}"), json!({}))
            })
            .collect();
        (database, rows)
    };
    let run = kit.sync(&[&database]).await.unwrap();
    run.assert_success();
    assert_eq!(run.emitted.len(), 36);
    kit.server.world().remove(&rows[3]);
    let run = kit.sync(&[&database]).await.unwrap();
    assert_eq!(run.deleted, [rows[3].clone()]);
}

#[tokio::test]
async fn a_cap_that_no_window_leads_around_deletes_nothing() {
    let mut kit = Kit::new().await;
    let (database, source, rows) = {
        let mut world = kit.server.world();
        let [database, source] = world.add_database(&Place::Workspace, "Log", json!({}));
        let rows: Vec<_> = (0..12).map(|number| world.add_row(&source, &format!("Row {number}"), json!({}))).collect();
        (database, source, rows)
    };
    kit.sync(&[&database]).await.unwrap().assert_success();
    kit.server.world().row_cap = 5;
    kit.server.world().remove(&rows[11]);
    let run = kit.sync(&[&database]).await.unwrap();
    assert_eq!(run.failed[0].kind, ErrorKind::PartialFetch);
    assert_eq!(run.failed[0].resource_id.as_deref(), Some(source.as_str()));
    assert!(run.deleted.is_empty() && kit.has(&rows[11]));
}

#[tokio::test]
async fn nine_hundred_blocks_within_each_other_are_one_document() {
    let mut kit = Kit::new().await;
    let page = {
        let mut world = kit.server.world();
        let page = world.add_page(&Place::Workspace, "Deep");
        world.set_blocks(&page, &[nested(900)]);
        page
    };
    kit.sync(&[&page]).await.unwrap().assert_success();
    let text = kit.text(&page);
    assert!(text.contains("level 0\n") && text.contains("level 899\n"));
    assert!(text.len() < 200_000, "{} bytes", text.len());
}

/// Made from the inside out, and read in by a parser that would not go so deep.
fn nested(levels: usize) -> Value {
    let item = |level: usize| json!({"type": "bulleted_list_item", "bulleted_list_item": {"rich_text": rich(&format!("level {level}"))}});
    (0..levels).rev().fold(Value::Null, |inside, level| {
        let mut block = item(level);
        if !inside.is_null() {
            block["children"] = Value::Array(vec![inside]);
        }
        block
    })
}

#[tokio::test]
async fn fifty_thousand_blocks_are_one_document() {
    let mut kit = Kit::new().await;
    let page = {
        let mut world = kit.server.world();
        let page = world.add_page(&Place::Workspace, "Long");
        let line =
            |number: usize| json!({"type": "paragraph", "paragraph": {"rich_text": rich(&format!("line {number}"))}});
        // A listing of blocks is looked for by id, one after the other: many short ones are quicker here than a long one.
        let part = |part: usize| json!({"type": "column", "column": {}, "children": (0..500).map(|n| line(part * 500 + n)).collect::<Vec<_>>()});
        world.set_blocks(&page, &(0..100).map(part).collect::<Vec<_>>());
        page
    };
    let run = kit.sync(&[&page]).await.unwrap();
    run.assert_success();
    let text = kit.text(&page);
    assert_eq!(text.matches("line ").count(), 50_000);
    assert!(text.contains("line 0\n") && text.ends_with("line 49999\n"));
}

#[tokio::test]
async fn references_beyond_the_twenty_fifth_are_asked_for() {
    let mut kit = Kit::new().await;
    let (database, source, row) = {
        let mut world = kit.server.world();
        let [database, source] = world.add_database(&Place::Workspace, "Tasks", json!({"Links": {"type": "relation"}}));
        let others: Vec<_> =
            (0..150).map(|number| world.add_page(&Place::Workspace, &format!("Other {number}"))).collect();
        let related: Vec<_> = others.iter().map(|id| json!({"id": id})).collect();
        let row = world.add_row(&source, "Row", json!({"Links": {"type": "relation", "relation": related}}));
        (database, source, row)
    };
    let run = kit.sync(&[&database]).await.unwrap();
    run.assert_success();
    assert!(kit.text(&row).contains("[Other 149]") && kit.text(&source).contains("[Other 149]"));
    let run = kit.sync(&[&database]).await.unwrap();
    assert_eq!((run.emitted.len(), run.asked_for("/properties/")), (0, 0));
}

#[tokio::test]
async fn copies_that_hold_themselves_come_to_an_end() {
    let mut kit = Kit::new().await;
    let page = {
        let mut world = kit.server.world();
        let page = world.add_page(&Place::Workspace, "Mirror");
        let original = "b0000000-0000-4000-8000-0000000000aa";
        let copy = json!({"type": "synced_block", "synced_block": {"synced_from": {"type": "block_id", "block_id": original}}});
        let said = json!({"type": "paragraph", "paragraph": {"rich_text": rich("once")}});
        let synced = json!({"id": original, "type": "synced_block", "synced_block": {"synced_from": null}, "children": [said, copy.clone()]});
        world.set_blocks(&page, &[synced, copy]);
        page
    };
    kit.sync(&[&page]).await.unwrap().assert_success();
    let text = kit.text(&page);
    assert_eq!(text.matches("once").count(), 2, "the original and one copy: {text}");
    assert!(text.contains("holds itself"));
}

#[tokio::test]
async fn a_synced_block_whose_original_is_not_shared_leaves_a_note() {
    let mut kit = Kit::new().await;
    let page = {
        let mut world = kit.server.world();
        let page = world.add_page(&Place::Workspace, "Page");
        let from = json!({"type": "block_id", "block_id": "b0000000-0000-4000-8000-0000000000bb"});
        world.set_blocks(&page, &[json!({"type": "synced_block", "synced_block": {"synced_from": from}})]);
        page
    };
    kit.sync(&[&page]).await.unwrap().assert_success();
    assert!(kit.text(&page).contains("original is not shared"));
}
