//! Do files come before their addresses die, and only when they are others?

use headwater_domain::sync::SkipReason;
use headwater_tests::server::Reply;
use headwater_tests::stand_in::notion::{Fault, Place, Trouble, rich};
use serde_json::{Value, json};

use super::kit::Kit;

fn file_block(id: &str, name: &str) -> Value {
    json!({"id": id, "type": "pdf", "pdf": {"caption": rich("The plan"), "type": "file", "file": {"stand_in": name}}})
}

const BLOCK: &str = "b0000000-0000-4000-8000-000000000001";

async fn with_file() -> (Kit, String, String) {
    let kit = Kit::new().await;
    let page = {
        let mut world = kit.server.world();
        world.keep_file("plan one.pdf", "application/pdf", b"%PDF one");
        world.keep_file("two.pdf", "application/pdf", b"%PDF two");
        let page = world.add_page(&Place::Workspace, "Plans");
        world.set_blocks(&page, &[file_block(BLOCK, "plan%20one.pdf")]);
        world.keep_file("plan%20one.pdf", "application/pdf", b"%PDF one");
        page
    };
    let child = format!("{page}#file#{BLOCK}");
    (kit, page, child)
}

#[tokio::test]
async fn a_file_is_a_document_of_its_own_under_a_lasting_name() {
    let (mut kit, page, child) = with_file().await;
    kit.sync(&[&page]).await.unwrap().assert_success();
    let text = kit.text(&page);
    assert!(text.contains(&format!("[plan one.pdf]({child})")), "{text}");
    assert!(!text.contains("X-Amz") && !text.contains("127.0.0.1"), "{text}");
    let file = &kit.knowledge_base.documents[&child];
    assert_eq!(
        (&file.content[..], file.content_type.as_str(), file.file_name.as_str()),
        (&b"%PDF one"[..], "application/pdf", "plan one.pdf")
    );
    assert_eq!(file.parent_id.as_deref(), Some(page.as_str()));
    assert_eq!(file.metadata["caption"], "The plan");
    let requests = kit.server.requests();
    let at_host = requests.iter().find(|request| request.path().starts_with("/files/")).unwrap();
    assert_eq!(at_host.value("authorization"), None, "no token goes to the host of a file");
}

#[tokio::test]
async fn a_new_signature_is_no_change() {
    let (mut kit, page, _) = with_file().await;
    kit.sync(&[&page]).await.unwrap().assert_success();
    kit.server.world().rename(&page, "Plans");
    let run = kit.sync(&[&page]).await.unwrap();
    assert_eq!(run.asked_for("/children"), 1, "the page was edited, so it is read");
    assert_eq!((run.emitted.len(), run.asked_for("/files/"), run.unchanged), (0, 0, 1));
}

#[tokio::test]
async fn another_file_in_the_same_block_comes_alone() {
    let (mut kit, page, child) = with_file().await;
    kit.sync(&[&page]).await.unwrap().assert_success();
    let mut block = file_block(BLOCK, "two.pdf");
    block["pdf"]["name"] = "plan one.pdf".into();
    kit.server.world().set_blocks(&page, &[block]);
    let run = kit.sync(&[&page]).await.unwrap();
    assert_eq!(run.emitted, std::slice::from_ref(&child));
    assert_eq!(&kit.knowledge_base.documents[&child].content[..], b"%PDF two");
}

#[tokio::test]
async fn a_file_that_is_taken_out_goes_with_the_next_version() {
    let (mut kit, page, child) = with_file().await;
    kit.sync(&[&page]).await.unwrap().assert_success();
    kit.server.world().set_text(&page, "No plan.");
    let run = kit.sync(&[&page]).await.unwrap();
    run.assert_success();
    assert_eq!(run.emitted, std::slice::from_ref(&page));
    assert!(!kit.has(&child));
    assert_eq!(kit.knowledge_base.cursor.version(&page, &child), None);
}

#[tokio::test]
async fn an_address_that_died_is_asked_for_anew() {
    let (mut kit, page, child) = with_file().await;
    let expired = Trouble::Foreign(Reply::new(403).body("<Error><Code>AccessDenied</Code></Error>"));
    kit.server.world().meet(Fault { words: "/files/".to_owned(), times: 1, trouble: expired });
    let run = kit.sync(&[&page]).await.unwrap();
    run.assert_success();
    assert_eq!(run.asked_for(&format!("GET /v1/blocks/{BLOCK}")), 1);
    assert!(kit.has(&child));
}

#[tokio::test]
async fn a_file_that_fails_is_told_and_comes_the_next_time() {
    let (mut kit, page, child) = with_file().await;
    let trouble = Trouble::Foreign(Reply::new(500));
    kit.server.world().meet(Fault { words: "/files/".to_owned(), times: 3, trouble });
    let run = kit.sync(&[&page]).await.unwrap();
    assert_eq!(run.failed[0].external_id.as_deref(), Some(child.as_str()));
    assert!(kit.has(&page) && !kit.has(&child));
    let run = kit.sync(&[&page]).await.unwrap();
    run.assert_success();
    assert_eq!(run.emitted, [child], "the page itself is as it was");
}

#[tokio::test]
async fn files_of_properties_come_too() {
    let mut kit = Kit::new().await;
    let (database, row) = {
        let mut world = kit.server.world();
        world.keep_file("a.csv", "text/csv", b"a,b");
        let [database, source] = world.add_database(&Place::Workspace, "Papers", json!({"Doc": {"type": "files"}}));
        let held = json!({"name": "a.csv", "type": "file", "file": {"stand_in": "a.csv"}});
        let elsewhere = json!({"name": "b", "type": "external", "external": {"url": "https://example.com/b"}});
        let row = world.add_row(&source, "Paper", json!({"Doc": {"type": "files", "files": [held, elsewhere]}}));
        (database, row)
    };
    kit.sync(&[&database]).await.unwrap().assert_success();
    let children = kit.knowledge_base.documents[&row].children.clone().unwrap();
    assert_eq!(children.len(), 1, "{children:?}");
    assert_eq!(&kit.knowledge_base.documents[&children[0]].content[..], b"a,b");
    assert!(kit.text(&row).contains("[b](https://example.com/b)"));
    kit.sync(&[&database]).await.unwrap().assert_success();
}

#[tokio::test]
async fn a_file_that_goes_with_its_page_is_deleted_with_it() {
    let mut kit = Kit::new().await;
    let (top, page) = {
        let mut world = kit.server.world();
        world.keep_file("a.pdf", "application/pdf", b"%PDF");
        let top = world.add_page(&Place::Workspace, "Top");
        let page = world.add_page(&Place::Page(top.clone()), "Page");
        world.set_blocks(&page, &[file_block(BLOCK, "a.pdf")]);
        (top, page)
    };
    kit.sync(&[&top]).await.unwrap().assert_success();
    kit.server.world().trash(&page);
    let run = kit.sync(&[&top]).await.unwrap();
    run.assert_success();
    assert_eq!(run.deleted, [page.clone(), format!("{page}#file#{BLOCK}")]);
    assert_eq!(kit.knowledge_base.cursor.len(), 1);
}

#[tokio::test]
async fn a_file_over_the_limit_is_left_out_with_its_reason() {
    let (mut kit, page, child) = with_file().await;
    let huge = vec![b'x'; 50 * 1024 * 1024 + 1];
    kit.server.world().keep_file("plan%20one.pdf", "application/pdf", &huge);
    let run = kit.sync(&[&page]).await.unwrap();
    run.assert_success();
    assert_eq!((run.skipped[0].external_id.as_str(), run.skipped[0].reason), (child.as_str(), SkipReason::TooLarge));
}
