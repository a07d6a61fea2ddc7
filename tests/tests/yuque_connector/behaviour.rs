//! What users of Yuque were bitten by elsewhere.

use headwater_domain::ErrorKind;
use headwater_domain::sync::{Note, SkipReason};
use headwater_ports::{Clock, Fetched};
use headwater_tests::contract::connector::{World as _, sync};
use headwater_tests::fakes::MemoryKnowledgeBase;
use headwater_tests::stand_in::yuque::{Fault, Group, World};
use serde_json::json;

use super::world::YuqueWorld;

/// Everything that a first run gives.
async fn fetch(world: &YuqueWorld) -> Fetched {
    let mut config = world.config();
    config.resource_ids = vec!["2001".to_owned()];
    world.connector().fetch_all(&config).await.expect("the run succeeds")
}

fn text(fetched: &Fetched, id: &str) -> String {
    let item = fetched.items.iter().find(|item| item.external_id == id).expect("it was handed over");
    String::from_utf8(item.content.to_vec()).expect("it is text")
}

fn skipped(fetched: &Fetched) -> Vec<(String, SkipReason)> {
    let skipped = fetched.notes.iter().filter_map(|note| match note {
        Note::Skipped(skipped) => Some((skipped.external_id.clone(), skipped.reason)),
        _ => None,
    });
    skipped.collect()
}

#[tokio::test]
async fn listings_of_many_pages_are_read_to_their_end() {
    let world = YuqueWorld::over(World::with_docs(250)).await;
    let fetched = fetch(&world).await;
    assert_eq!(fetched.items.len(), 250);
    let requests = world.stand_in().requests();
    let listings: Vec<_> = requests.iter().filter(|request| request.path().ends_with("/docs")).collect();
    assert_eq!(listings.len(), 3);
}

#[tokio::test]
async fn drafts_boards_and_hidden_documents_are_counted_with_their_reason() {
    let mut world = World::with_docs(4);
    world.doc(1).published = false;
    world.doc(2).kind = "Board".to_owned();
    world.doc(3).hidden = true;
    for status_as_text in [false, true] {
        world.status_as_text = status_as_text;
        let fetched = fetch(&YuqueWorld::over(world.clone()).await).await;
        assert_eq!(fetched.items.iter().map(|item| item.external_id.as_str()).collect::<Vec<_>>(), ["4"]);
        let expected = [("1", SkipReason::Draft), ("2", SkipReason::UnsupportedType), ("3", SkipReason::Hidden)];
        assert_eq!(skipped(&fetched), expected.map(|(id, reason)| (id.to_owned(), reason)));
    }
}

#[tokio::test]
async fn sheets_and_data_tables_become_tables() {
    let mut world = World::with_docs(2);
    let sheet = world.doc(1);
    sheet.kind = "Sheet".to_owned();
    sheet.body_sheet =
        Some(json!({"version": "1.0", "data": [{"name": "价", "table": [["a", "b"], ["1", "2"]]}]}).to_string());
    let table = world.doc(2);
    table.kind = "Table".to_owned();
    table.records = (0..450).map(|number| json!([format!("row {number}")])).collect();
    let fetched = fetch(&YuqueWorld::over(world).await).await;
    assert_eq!(text(&fetched, "1"), "## 价\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n");
    let rows = text(&fetched, "2");
    assert_eq!(rows.lines().count(), 452, "a head, a rule, and every row of three pages");
    assert!(rows.ends_with("| row 449 |\n"));
}

#[tokio::test]
async fn a_document_stands_below_its_folders() {
    let mut world = World::with_docs(2);
    world.doc(1).folders = vec!["入门".to_owned(), "Deep".to_owned()];
    let fetched = fetch(&YuqueWorld::over(world).await).await;
    assert_eq!(fetched.items[0].path, ["Book kb", "入门", "Deep"]);
    assert_eq!(fetched.items[1].path, ["Book kb"]);
    assert!(fetched.items[0].url.as_deref().is_some_and(|url| url.ends_with("/standin/kb/s1")));
}

#[tokio::test]
async fn a_document_that_moves_to_another_book_is_no_deletion() {
    let world = YuqueWorld::start().await;
    for name in ["one", "two"] {
        world.add(0, name, "text").await;
    }
    let mut knowledge_base = MemoryKnowledgeBase::default();
    sync(&world, &mut knowledge_base).await.assert_success();
    world.stand_in().world().move_doc(1000, 2002);
    let run = sync(&world, &mut knowledge_base).await;
    run.assert_success();
    assert_eq!(run.deleted, Vec::<String>::new());
    assert_eq!(run.emitted, ["1000"], "its path is another one");
    let run = sync(&world, &mut knowledge_base).await;
    assert_eq!((run.emitted, run.deleted), (Vec::new(), Vec::new()));
}

#[tokio::test]
async fn a_book_that_is_withdrawn_deletes_nothing() {
    let world = YuqueWorld::start().await;
    world.add(0, "one", "text").await;
    let mut knowledge_base = MemoryKnowledgeBase::default();
    sync(&world, &mut knowledge_base).await.assert_success();
    for status in [403, 404] {
        world.stand_in().world().fail("/repos/2001", status, usize::MAX);
        let run = sync(&world, &mut knowledge_base).await;
        run.assert_failed_in_part(None);
        assert_eq!(run.deleted, Vec::<String>::new());
        world.heal().await;
    }
}

#[tokio::test]
async fn a_listing_in_circles_is_told() {
    let mut world = World::with_docs(100);
    world.circling.push(2001);
    let fetched = fetch(&YuqueWorld::over(world).await).await;
    let kinds = fetched.notes.iter().filter_map(|note| match note {
        Note::Failed(failed) => Some(failed.kind),
        _ => None,
    });
    assert_eq!(kinds.collect::<Vec<_>>(), [ErrorKind::PaginationLoop]);
}

#[tokio::test]
async fn limits_are_waited_out_in_all_their_forms() {
    let forms: [&[(&str, &str)]; 3] = [&[], &[("Retry-After", "7")], &[("X-RateLimit-Remaining", "0")]];
    for headers in forms {
        let mut world = World::with_docs(3);
        let headers: Vec<_> = headers.iter().map(|(name, value)| (leaked(name), (*value).to_owned())).collect();
        let waits_for_the_hour = headers.first().is_some_and(|(name, _)| *name == "X-RateLimit-Remaining");
        world.faults.push(Fault { target: "/repos/docs/2".to_owned(), after: 0, times: 1, status: 429, headers });
        let world = YuqueWorld::over(world).await;
        // Half a minute before the hour.
        world.clock().advance(jiff::SignedDuration::from_secs(3570));
        let before = world.clock().now();
        assert_eq!(fetch(&world).await.items.len(), 3);
        let waited = world.clock().now().duration_since(before).as_secs();
        assert!(if waits_for_the_hour { waited >= 30 } else { (7..30).contains(&waited) }, "waited {waited} s");
    }
}

/// The names of headers are few.
fn leaked(name: &str) -> &'static str {
    match name {
        "Retry-After" => "Retry-After",
        _ => "X-RateLimit-Remaining",
    }
}

#[tokio::test]
async fn the_pace_stays_under_the_limit() {
    let world = YuqueWorld::over(World::with_docs(300)).await;
    let before = world.clock().now();
    fetch(&world).await;
    let requests = world.stand_in().requests().len() as i64;
    let waited = world.clock().now().duration_since(before).as_secs();
    // After the first hundred, three requests take at least two seconds.
    assert!(waited >= (requests - 100) * 3 / 4 - 1, "{requests} requests in {waited} s");
}

#[tokio::test]
async fn a_team_token_sees_the_books_of_its_team() {
    let mut world = World::with_docs(1);
    world.team_token = true;
    let world = YuqueWorld::over(world).await;
    let resources = world.connector().list_resources(&world.config(), None).await.expect("the listing succeeds");
    let ids: Vec<_> = resources.iter().map(|resource| (resource.external_id.as_str(), resource.has_children)).collect();
    assert_eq!(ids, [("2001", false)]);
}

#[tokio::test]
async fn teams_are_listed_one_level_at_a_time() {
    let mut world = World::with_docs(1);
    world.groups.push(Group { id: 7, login: "ops".to_owned() });
    world.add_book(2005, "ops", "handbook");
    let world = YuqueWorld::over(world).await;
    let (connector, config) = (world.connector(), world.config());
    let top = connector.list_resources(&config, None).await.expect("the listing succeeds");
    assert_eq!(top.iter().map(|resource| resource.external_id.as_str()).collect::<Vec<_>>(), ["group:ops", "2001"]);
    assert!(world.stand_in().requests().iter().all(|request| !request.target.contains("/groups/ops")));
    let below = connector.list_resources(&config, Some("group:ops")).await.expect("the listing succeeds");
    assert_eq!(below[0].external_id, "2005");
    let above = connector.resolve_resource_ancestors(&config, &["2005".to_owned()]).await.expect("it is found");
    assert_eq!(above, ["group:ops"]);
}

#[tokio::test]
async fn a_team_can_be_followed_whole() {
    let mut world = World::new();
    world.groups.push(Group { id: 7, login: "ops".to_owned() });
    for (number, slug) in [(3001, "one"), (3002, "two")] {
        world.add_book(number, "ops", slug);
        world.add_doc(number, number + 1000, slug, "text");
    }
    let world = YuqueWorld::over(world).await;
    let mut config = world.config();
    config.resource_ids = vec!["group:ops".to_owned(), "3001".to_owned()];
    let mut fetched = world.connector().fetch_all(&config).await.expect("the run succeeds");
    let ids: Vec<_> = fetched.items.iter().map(|item| item.external_id.as_str()).collect();
    assert_eq!(ids, ["4001", "4002"], "a book that is selected twice is read once");
    world.stand_in().world().delete(4002);
    fetched = world.connector().fetch_incremental(&config, fetched.cursor).await.expect("the run succeeds");
    assert_eq!(fetched.deletions.iter().map(|deletion| deletion.external_id.as_str()).collect::<Vec<_>>(), ["4002"]);
}

#[tokio::test]
async fn a_token_with_a_line_break_is_refused_before_it_is_sent() {
    let world = YuqueWorld::over(World::with_docs(1)).await;
    let mut config = world.config();
    config.credentials.insert("api_token".to_owned(), headwater_domain::secret::Secret::new("hush\r\nx: y".to_owned()));
    let error = world.connector().validate(&config).await.expect_err("it is no token");
    assert_eq!(error.kind, ErrorKind::InvalidCredentials);
    assert!(!error.to_string().contains("hush"));
    assert!(world.stand_in().requests().is_empty());
}
