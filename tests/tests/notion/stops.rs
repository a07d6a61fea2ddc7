//! Does a run that is stopped anywhere, or that things change under, come to the same end?

use headwater_ports::Connector;
use headwater_tests::contract::connector::Fault;
use headwater_tests::fakes::MemoryKnowledgeBase;
use headwater_tests::stand_in::notion::{Place, rich};
use jiff::SignedDuration;
use serde_json::{Value, json};

use super::kit::Kit;

fn paragraph(text: &str) -> Value {
    json!({"type": "paragraph", "paragraph": {"rich_text": rich(text)}})
}

/// Pages with files, a page in a toggle, a database with a page in a row.
fn fill(kit: &Kit) -> String {
    let mut world = kit.server.world();
    world.keep_file("a.pdf", "application/pdf", b"%PDF");
    let top = world.add_page(&Place::Workspace, "Top");
    let toggle = "b0000000-0000-4000-8000-000000000001";
    let file = json!({"type": "pdf", "pdf": {"type": "file", "file": {"stand_in": "a.pdf"}, "caption": []}});
    let toggled = json!({"id": toggle, "type": "toggle", "toggle": {"rich_text": rich("More")}});
    world.set_blocks(&top, &[file.clone(), toggled, file.clone()]);
    world.add_page(&Place::Block(toggle.to_owned()), "In the toggle");
    let [_, source] = world.add_database(&Place::Page(top.clone()), "Tasks", json!({"Doc": {"type": "files"}}));
    for number in 0..4 {
        let held = json!([{"name": "a.pdf", "type": "file", "file": {"stand_in": "a.pdf"}}]);
        let row = world.add_row(&source, &format!("Row {number}"), json!({"Doc": {"type": "files", "files": held}}));
        world.set_blocks(&row, &[file.clone(), paragraph("words")]);
        world.add_page(&Place::Page(row), &format!("Below row {number}"));
    }
    top
}

#[tokio::test]
async fn a_run_with_files_that_is_stopped_anywhere_is_resumed() {
    let mut kit = Kit::new().await;
    let top = fill(&kit);
    let requests = kit.sync(&[&top]).await.unwrap().asked.len();
    let whole = std::mem::take(&mut kit.knowledge_base).documents;
    assert_eq!(whole.len(), 11 + 10, "pages, rows and a table, and their files");
    for stop in (0..20).map(|number| number * 7 % requests) {
        kit.knowledge_base = MemoryKnowledgeBase::default();
        for at in [stop, requests - stop - 1] {
            stop_at(&mut kit, &top, at).await;
        }
        kit.sync(&[&top]).await.unwrap().assert_success();
        assert_eq!(kit.knowledge_base.documents, whole, "stopped at request {stop}");
    }
}

async fn stop_at(kit: &mut Kit, top: &str, at: usize) {
    kit.clock.advance(SignedDuration::from_hours(48));
    kit.gate.take_log();
    kit.gate.fail_at(at, Fault::Hang);
    kit.knowledge_base.begin_run();
    let (connector, config) = (kit.connector(), kit.config(&[top]));
    let cursor = kit.knowledge_base.cursor.clone();
    tokio::select! {
        biased;
        outcome = connector.fetch_stream(&config, cursor, &mut kit.knowledge_base) => drop(outcome.expect("it is over before")),
        () = kit.gate.hung() => {}
    }
    kit.gate.heal();
}

#[tokio::test]
async fn what_changes_while_it_is_listed_is_there_after_the_next_run() {
    let mut kit = Kit::new().await;
    let (top, pages) = {
        let mut world = kit.server.world();
        world.page_cap = 2;
        let top = world.add_page(&Place::Workspace, "Top");
        let pages: Vec<_> = (0..9).map(|n| world.add_page(&Place::Page(top.clone()), &format!("P{n}"))).collect();
        (top, pages)
    };
    for requests in 1..30 {
        let (edited, text) = (pages[requests % 7].clone(), format!("edit {requests}"));
        let (gone, back) = (pages[7].clone(), Place::Page(top.clone()));
        kit.server.world().later(requests, move |world| {
            world.set_text(&edited, &text);
            world.move_to(&gone, &back);
        });
        let run = kit.sync(&[&top]).await.unwrap();
        assert!(run.deleted.is_empty(), "after {requests} requests: {:?}", run.deleted);
        kit.server.world().heal();
        kit.sync(&[&top]).await.unwrap().assert_success();
        let kept = std::mem::take(&mut kit.knowledge_base);
        kit.sync(&[&top]).await.unwrap().assert_success();
        assert_eq!(texts(&kept), texts(&kit.knowledge_base), "after {requests} requests");
        kit.knowledge_base = kept;
    }
}

/// What the documents say. An edit that changes no text is not handed over, so their times may differ.
fn texts(knowledge_base: &MemoryKnowledgeBase) -> Vec<(&str, &str, &[u8])> {
    let documents = knowledge_base.documents.values();
    documents.map(|item| (item.external_id.as_str(), item.title.as_str(), &item.content[..])).collect()
}
