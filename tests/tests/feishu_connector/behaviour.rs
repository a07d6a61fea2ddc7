//! What users of Feishu were bitten by elsewhere.

use headwater_domain::ErrorKind;
use headwater_domain::sync::{Note, SkipReason};
use headwater_ports::{Clock, Fetched};
use headwater_tests::contract::connector::{World as _, sync};
use headwater_tests::fakes::MemoryKnowledgeBase;
use headwater_tests::stand_in::feishu::{Fault, File, Node, World};
use serde_json::{Value, json};

use super::world::FeishuWorld;

const SPACE: &str = "7300000000000000001";

/// A world of one space, long settled.
fn one_space() -> World {
    let mut world = World::new();
    world.add_space(SPACE, "A");
    world.now = "2025-12-01T00:00:00Z".parse().expect("a time");
    world
}

async fn fetch(world: &FeishuWorld, resource: &str) -> Fetched {
    let mut config = world.config();
    config.resource_ids = vec![resource.to_owned()];
    world.connector().fetch_all(&config).await.expect("the run succeeds")
}

fn ids(fetched: &Fetched) -> Vec<&str> {
    fetched.items.iter().map(|item| item.external_id.as_str()).collect()
}

fn skipped(fetched: &Fetched) -> Vec<(&str, SkipReason)> {
    let skipped = fetched.notes.iter().filter_map(|note| match note {
        Note::Skipped(skipped) => Some((skipped.external_id.as_str(), skipped.reason)),
        _ => None,
    });
    skipped.collect()
}

fn failed(fetched: &Fetched) -> Vec<(Option<&str>, Option<&str>, ErrorKind)> {
    let failed = fetched.notes.iter().filter_map(|note| match note {
        Note::Failed(failed) => Some((failed.external_id.as_deref(), failed.resource_id.as_deref(), failed.kind)),
        _ => None,
    });
    failed.collect()
}

#[tokio::test]
async fn every_page_and_every_level_is_read() {
    let mut world = one_space();
    for number in 0..120 {
        world.add_doc(SPACE, "", &format!("top{number}"), "T", "x");
        world.add_doc(SPACE, "top7", &format!("below{number}"), "B", "x");
    }
    let fetched = fetch(&FeishuWorld::over(world, "blocks").await, SPACE).await;
    assert_eq!(fetched.items.len(), 240);
    let below = fetched.items.iter().find(|item| item.external_id == "below3").expect("it was read");
    assert_eq!(below.path, ["T"]);
}

#[tokio::test]
async fn a_failed_child_listing_costs_that_branch_alone() {
    let mut world = one_space();
    world.add_doc(SPACE, "", "n1", "N1", "x");
    world.add_doc(SPACE, "n1", "c1", "C1", "x");
    world.add_doc(SPACE, "n1", "c2", "C2", "x");
    world.add_doc(SPACE, "", "n2", "N2", "x");
    let world = FeishuWorld::over(world, "blocks").await;
    let mut config = world.config();
    config.resource_ids = vec![SPACE.to_owned()];
    let first = world.connector().fetch_all(&config).await.expect("the run succeeds");
    assert_eq!(first.items.len(), 4);
    {
        let mut world = world.stand_in().world();
        world.delete("c1");
        world.delete("n2");
        world.fail("parent_node_token=n1", 500, Some(1_663), usize::MAX);
    }
    let second = world.connector().fetch_incremental(&config, first.cursor).await.expect("the run goes on");
    assert_eq!(failed(&second), [(None, Some("n1"), ErrorKind::HttpStatus)]);
    let deleted: Vec<_> = second.deletions.iter().map(|deletion| deletion.external_id.as_str()).collect();
    assert_eq!(deleted, ["n2"], "what stood below the branch that failed is not gone for sure");
}

#[tokio::test]
async fn what_may_not_be_seen_any_more_is_not_deleted() {
    let mut world = one_space();
    world.add_doc(SPACE, "", "n1", "N1", "x");
    world.add_doc(SPACE, "", "n2", "N2", "x");
    let world = FeishuWorld::over(world, "blocks").await;
    let mut config = world.config();
    config.resource_ids = vec![SPACE.to_owned()];
    let first = world.connector().fetch_all(&config).await.expect("the run succeeds");
    world.stand_in().world().node("n1").is_hidden = true;
    let second = world.connector().fetch_incremental(&config, first.cursor).await.expect("the run succeeds");
    assert!(second.deletions.is_empty());
}

#[tokio::test]
async fn types_without_text_are_skipped_with_the_reason() {
    let mut world = one_space();
    for kind in ["mindnote", "slides", "docx", "sheet", "bitable", "file"] {
        world.add_doc(SPACE, "", kind, kind, "x").obj_type = kind.to_owned();
    }
    let fetched = fetch(&FeishuWorld::over(world, "export").await, SPACE).await;
    assert_eq!(ids(&fetched), ["docx", "sheet", "bitable", "file"]);
    assert_eq!(skipped(&fetched), [("mindnote", SkipReason::UnsupportedType), ("slides", SkipReason::UnsupportedType)]);
    let names: Vec<_> = fetched.items.iter().map(|item| item.file_name.as_str()).collect();
    assert_eq!(names, ["docx.docx", "sheet.xlsx", "bitable.xlsx", "file"]);
}

#[tokio::test]
async fn a_shortcut_is_no_second_copy_and_leads_in_no_circle() {
    let mut world = one_space();
    world.add_doc(SPACE, "", "n1", "N1", "x");
    for (token, object) in [("s1", "doxcnn1"), ("s2", "doxcnelse")] {
        let node = world.add_doc(SPACE, "n1", token, token, "x");
        node.obj_token = object.to_owned();
        node.is_shortcut = true;
    }
    world.nodes.push(Node { obj_token: "doxcnelse".to_owned(), text: "elsewhere".to_owned(), ..Node::default() });
    let fetched = fetch(&FeishuWorld::over(world, "blocks").await, SPACE).await;
    assert_eq!(ids(&fetched), ["n1", "s2"]);
    assert_eq!(skipped(&fetched), [("s1", SkipReason::Shortcut)]);
}

#[tokio::test]
async fn limits_are_waited_out_whatever_their_status() {
    for (status, code) in [(400, Some(99_991_400)), (429, Some(99_991_400)), (400, Some(11_232)), (429, None)] {
        let mut world = one_space();
        world.add_doc(SPACE, "", "n1", "N1", "x");
        let headers = vec![("x-ogw-ratelimit-reset", "52".to_owned())];
        world.faults.push(Fault { target: "/blocks".to_owned(), times: 1, status, code, headers });
        let world = FeishuWorld::over(world, "blocks").await;
        let before = world.clock().now();
        assert_eq!(fetch(&world, SPACE).await.items.len(), 1);
        assert!(world.clock().now().duration_since(before).as_secs() >= 52);
    }
}

#[tokio::test]
async fn a_limit_while_an_export_runs_begins_no_second_task() {
    let mut world = one_space();
    world.add_doc(SPACE, "", "n1", "N1", "x");
    let headers = vec![("retry-after", "60".to_owned())];
    let target = "GET /open-apis/drive/v1/export_tasks/74".to_owned();
    world.faults.push(Fault { target, times: 1, status: 400, code: Some(99_991_400), headers });
    let world = FeishuWorld::over(world, "export").await;
    assert_eq!(fetch(&world, SPACE).await.items.len(), 1);
    assert_eq!(world.stand_in().world().exports.len(), 1);
}

#[tokio::test]
async fn a_token_that_ends_early_is_renewed_once_for_all() {
    let mut world = one_space();
    (0..5).for_each(|number| drop(world.add_doc(SPACE, "", &format!("n{number}"), "N", "x").clone()));
    world.fail("/blocks", 400, Some(99_991_663), 1);
    let world = FeishuWorld::over(world, "blocks").await;
    assert_eq!(fetch(&world, SPACE).await.items.len(), 5);
    assert_eq!(world.stand_in().world().tokens, 2);
}

#[tokio::test]
async fn exports_that_owners_forbid_are_read_by_their_blocks() {
    let mut world = one_space();
    world.add_doc(SPACE, "", "n1", "N1", "the text");
    world.add_doc(SPACE, "", "n2", "N2", "too large");
    world.job_statuses.insert("doxcnn1".to_owned(), 122);
    world.job_statuses.insert("doxcnn2".to_owned(), 107);
    let fetched = fetch(&FeishuWorld::over(world, "export").await, SPACE).await;
    assert_eq!(ids(&fetched), ["n1"]);
    assert_eq!((fetched.items[0].file_name.as_str(), &fetched.items[0].content[..]), ("N1.md", &b"the text\n"[..]));
    assert_eq!(skipped(&fetched), [("n2", SkipReason::TooLarge)]);
}

#[tokio::test]
async fn a_missing_scope_is_named() {
    let mut world = one_space();
    world.fail("/wiki/v2/spaces", 400, Some(99_991_672), usize::MAX);
    let world = FeishuWorld::over(world, "blocks").await;
    let error = world.connector().validate(&world.config()).await.expect_err("a scope is missing");
    assert_eq!(error.kind, ErrorKind::Auth);
    assert!(error.to_string().contains("wiki:wiki:readonly"), "{error}");
}

/// A document with an image, a file, a sheet and a database inside.
fn rich(world: &mut World) {
    let text = |content: &str| json!({"elements": [{"text_run": {"content": content, "text_element_style": {}}}]});
    let block =
        |id: &str, kind: u32, key: &str, content: Value| json!({"block_id": id, "block_type": kind, key: content});
    let mut page = block("doxcnn1", 1, "page", text("N1"));
    page["children"] = json!(["t", "i", "f", "s", "b"]);
    world.node("n1").blocks = vec![
        page,
        block("t", 2, "text", text("before")),
        block("i", 27, "image", json!({"token": "img1"})),
        block("f", 23, "file", json!({"token": "fil1", "name": "plan.pdf"})),
        block("s", 30, "sheet", json!({"token": "sht_1"})),
        block("b", 18, "bitable", json!({"token": "app_tbl"})),
    ];
    world.media.insert("img1".to_owned(), vec![0x89, b'P', b'N', b'G', 1]);
    world.media.insert("fil1".to_owned(), b"%PDF".to_vec());
    world.sheets.insert("sht_1".to_owned(), json!([["a", "b"], [1, null], [null, null]]));
    let fields = [json!({"field_name": "Name", "type": 1}), json!({"field_name": "When", "type": 5})];
    let records = [
        json!({"fields": {"Name": [{"type": "text", "text": "x|"}, {"type": "text", "text": "y"}], "When": 1_711_900_800_000_i64}}),
        json!({"fields": {"Name": "z", "When": 1_719_802_800_000_i64}}),
        json!({"fields": {"When": 0}}),
    ];
    world.tables.insert("app_tbl".to_owned(), (fields.to_vec(), records.to_vec()));
}

#[tokio::test]
async fn what_stands_inside_a_document_comes_with_it() {
    let mut world = one_space();
    world.add_doc(SPACE, "", "n1", "N1", "x");
    rich(&mut world);
    let world = FeishuWorld::over(world, "blocks").await;
    let mut config = world.config();
    config.resource_ids = vec![SPACE.to_owned()];
    let first = world.connector().fetch_all(&config).await.expect("the run succeeds");
    assert_eq!(ids(&first), ["n1#image#img1", "n1#file#fil1", "n1"]);
    assert_eq!(first.items[0].content_type, "image/png");
    assert_eq!(first.items[0].parent_id.as_deref(), Some("n1"));
    let document = &first.items[2];
    assert_eq!(document.children.as_deref(), Some(&["n1#image#img1".to_owned(), "n1#file#fil1".to_owned()][..]));
    let text = String::from_utf8(document.content.to_vec()).expect("it is text");
    assert_eq!(
        text,
        "before\n\n![](image-img1.png)\n\n[plan.pdf](plan-fil1.pdf)\n\n| a | b |\n| --- | --- |\n| 1 |  |\n\n\
         | Name | When |\n| --- | --- |\n| x\\|y | 2024-04-01 |\n| z | 2024-07-01 11:00 |\n|  |  |\n"
    );

    // An edit fetches no file again, and a file that is gone from the document is forgotten.
    world.clock().advance(jiff::SignedDuration::from_hours(1));
    world.world().edit("n1", |node| node.blocks.retain(|block| block["block_id"] != "f"));
    let before = world.stand_in().requests().len();
    let second = world.connector().fetch_incremental(&config, first.cursor).await.expect("the run succeeds");
    assert_eq!(ids(&second), ["n1"]);
    assert!(world.stand_in().requests()[before..].iter().all(|request| !request.target.contains("/medias/")));
    assert_eq!(second.cursor.version(SPACE, "n1#file#fil1"), None);
    assert!(second.cursor.version(SPACE, "n1#image#img1").is_some());
}

#[tokio::test]
async fn a_file_that_cannot_be_had_keeps_the_text() {
    let mut world = one_space();
    world.add_doc(SPACE, "", "n1", "N1", "x");
    rich(&mut world);
    world.fail("/medias/img1", 500, Some(1_061_001), usize::MAX);
    let world = FeishuWorld::over(world, "blocks").await;
    let first = fetch(&world, SPACE).await;
    assert_eq!(ids(&first), ["n1#file#fil1", "n1"]);
    assert_eq!(failed(&first), [(Some("n1"), None, ErrorKind::PartialFetch)]);
    assert_eq!(first.cursor.version(SPACE, "n1"), None, "it is read again");
    world.stand_in().world().faults.clear();
    let mut config = world.config();
    config.resource_ids = vec![SPACE.to_owned()];
    let second = world.connector().fetch_incremental(&config, first.cursor).await.expect("the run succeeds");
    assert_eq!(ids(&second), ["n1#image#img1", "n1"]);
}

#[tokio::test]
async fn folders_of_the_drive_are_read_with_what_lies_below() {
    let mut world = World::new();
    let file = |token: &str, kind: &str, folder: &str| File {
        token: token.to_owned(),
        name: format!("{token}.txt"),
        kind: kind.to_owned(),
        folder: folder.to_owned(),
        edited: 1_700_000_000,
        text: "content".to_owned(),
    };
    world.files.extend([file("fld0", "folder", ""), file("fld1", "folder", "fld0"), file("box1", "file", "fld1")]);
    world.files.extend((0..300).map(|number| file(&format!("top{number}"), "file", "fld0")));
    let world = FeishuWorld::over(world, "export").await;
    let mut config = world.config();
    config.resource_ids = vec!["drive:fld0".to_owned()];
    let first = world.connector().fetch_all(&config).await.expect("the run succeeds");
    assert_eq!(first.items.len(), 301);
    let below = first.items.iter().find(|item| item.external_id == "box1").expect("it was read");
    assert_eq!(
        (below.path.as_slice(), below.file_name.as_str()),
        (&["fld0.txt".to_owned(), "fld1.txt".to_owned()][..], "box1.txt")
    );
    world.stand_in().world().files.retain(|file| file.token != "box1");
    let second = world.connector().fetch_incremental(&config, first.cursor).await.expect("the run succeeds");
    assert_eq!(second.deletions.iter().map(|deletion| deletion.external_id.as_str()).collect::<Vec<_>>(), ["box1"]);
}

#[tokio::test]
async fn the_way_to_a_deep_node_costs_its_depth() {
    let mut world = one_space();
    world.add_doc(SPACE, "", "n0", "N", "x");
    (1..6).for_each(|number| {
        drop(world.add_doc(SPACE, &format!("n{}", number - 1), &format!("n{number}"), "N", "x").clone())
    });
    let world = FeishuWorld::over(world, "blocks").await;
    let above = world.connector().resolve_resource_ancestors(&world.config(), &[format!("{SPACE}:n5")]).await;
    let expected: Vec<_> =
        std::iter::once(SPACE.to_owned()).chain((0..5).map(|number| format!("{SPACE}:n{number}"))).collect();
    assert_eq!(above.expect("it is found"), expected);
    assert_eq!(world.stand_in().requests().len(), 1 + 6, "a sign-in, and a request a level");
}

#[tokio::test]
async fn an_edit_in_the_second_of_the_read_is_seen() {
    let world = FeishuWorld::start("blocks").await;
    world.add(0, "one", "first").await;
    let mut config = world.config();
    config.resource_ids = vec![world.resource(0)];
    let first = world.connector().fetch_all(&config).await.expect("the run succeeds");
    // The same second, as the vendor writes times.
    world.stand_in().world().node("wik0").text = "second".to_owned();
    let second = world.connector().fetch_incremental(&config, first.cursor).await.expect("the run succeeds");
    assert_eq!(&second.items[0].content[..], b"second\n");
}

#[tokio::test]
async fn another_mode_reads_everything_again() {
    let world = FeishuWorld::start("export").await;
    world.add(0, "one", "text").await;
    let mut knowledge_base = MemoryKnowledgeBase::default();
    sync(&world, &mut knowledge_base).await.assert_success();
    let mut config = world.config();
    config.settings.insert("mode".to_owned(), "blocks".into());
    let run = headwater_tests::contract::connector::sync_with(&world, &config, &mut knowledge_base).await;
    assert_eq!(run.emitted, ["wik0"]);
}
