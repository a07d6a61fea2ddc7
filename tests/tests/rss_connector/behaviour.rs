//! Rows 21, 35, 38 and 39 of what is known to go wrong elsewhere, and the ways of feeds.

use headwater_domain::ErrorKind;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::Clock;
use headwater_tests::contract::connector::{World, sync, sync_all, sync_with};
use headwater_tests::fakes::MemoryKnowledgeBase;
use serde_json::json;

use super::world::{FEEDS, KEY, RssWorld};

async fn world(items: usize) -> RssWorld {
    let world = RssWorld::start().await;
    let now = world.clock().now();
    for number in 0..items {
        world.web().add(0, &format!("Story {number}"), &story(number), now);
    }
    world
}

fn story(number: usize) -> String {
    format!("Story number {number} tells of a river that carries snow water to the valley in spring. ").repeat(10)
}

fn only_first(world: &RssWorld) -> DataSourceConfig {
    DataSourceConfig { resource_ids: vec![world.resource(0)], ..world.config() }
}

fn text(knowledge_base: &MemoryKnowledgeBase, id: &str) -> String {
    String::from_utf8_lossy(&knowledge_base.documents[id].content).into_owned()
}

#[tokio::test]
async fn row_38_a_second_run_asks_conditionally_and_for_no_article() {
    let world = world(3).await;
    let mut knowledge_base = sync_all(&world).await;
    let before = world.paths().len();
    sync(&world, &mut knowledge_base).await.assert_success();
    let requests = world.requests();
    assert_eq!(world.paths()[before..], FEEDS.map(str::to_owned));
    assert!(requests[before..].iter().all(|request| request.value("if-none-match").is_some()));
}

#[tokio::test]
async fn row_38_a_login_wall_does_not_beat_the_feeds_own_text() {
    let world = world(2).await;
    let body = format!("<p>{}</p>", story(0));
    world.web().feeds[0][0].body = Some(body);
    let wall = "<html><title>Sign in</title><body><main><p>Please sign in to read on. Have you forgotten your \
                password? We will help.</p></main></body></html>";
    world.web().instead.insert("/articles/1".to_owned(), (200, wall.to_owned()));
    let knowledge_base = sync_all(&world).await;
    let own = text(&knowledge_base, "urn:item:1");
    assert!(own.contains("Story number 0") && !own.contains("password"), "{own}");
    assert_eq!(knowledge_base.documents["urn:item:1"].metadata["text_from"], "feed");
    assert_eq!(knowledge_base.documents["urn:item:2"].metadata["text_from"], "page");
}

#[tokio::test]
async fn row_35_an_error_page_never_becomes_content() {
    let world = world(2).await;
    let error = "<html><title>Oops</title><body><article><p>Error 500: something went wrong on our side while \
                 the page was made. Please come back later.</p></article></body></html>";
    world.web().instead.insert("/articles/1".to_owned(), (500, error.to_owned()));
    let mut knowledge_base = MemoryKnowledgeBase::default();
    let run = sync(&world, &mut knowledge_base).await;
    run.assert_failed_in_part(Some(ErrorKind::HttpStatus));
    assert!(!knowledge_base.documents.contains_key("urn:item:1"));
    world.web().instead.insert("/articles/1".to_owned(), (200, error.to_owned()));
    sync(&world, &mut knowledge_base).await.assert_success();
    let kept = text(&knowledge_base, "urn:item:1");
    assert!(!kept.contains("went wrong"), "only the link is left: {kept}");
    assert!(kept.contains("/articles/1"));
}

#[tokio::test]
async fn row_38_another_address_of_a_feed_brings_nothing_again() {
    let world = world(3).await;
    let mut knowledge_base = MemoryKnowledgeBase::default();
    sync_with(&world, &only_first(&world), &mut knowledge_base).await.assert_success();
    let moved = world.url("/a.xml?new=1");
    let config = DataSourceConfig {
        resource_ids: vec![moved.clone()],
        settings: json!({ "feed_urls": [moved] }).as_object().cloned().unwrap_or_default(),
        ..world.config()
    };
    let body = knowledge_base.documents.clone();
    let run = sync_with(&world, &config, &mut knowledge_base).await;
    run.assert_success();
    assert_eq!(run.emitted, Vec::<String>::new());
    assert_eq!(run.requests.len(), 1, "no article was asked for: {:?}", run.requests);
    assert_eq!(knowledge_base.documents, body);
}

#[tokio::test]
async fn row_38_one_dead_feed_of_two_spares_the_other() {
    let world = world(2).await;
    world.web().instead.insert(FEEDS[1].to_owned(), (503, String::new()));
    let mut knowledge_base = MemoryKnowledgeBase::default();
    let run = sync(&world, &mut knowledge_base).await;
    run.assert_failed_in_part(Some(ErrorKind::HttpStatus));
    assert_eq!(knowledge_base.documents.len(), 2);
}

#[tokio::test]
async fn a_sole_feed_that_fails_fails_the_run_and_keeps_what_is_known() {
    let world = world(2).await;
    let config = only_first(&world);
    let mut knowledge_base = MemoryKnowledgeBase::default();
    sync_with(&world, &config, &mut knowledge_base).await.assert_success();
    world.web().instead.insert(FEEDS[0].to_owned(), (503, String::new()));
    let run = sync_with(&world, &config, &mut knowledge_base).await;
    assert_eq!(run.error().kind, ErrorKind::HttpStatus);
    assert_eq!(knowledge_base.cursor.known(&world.resource(0)).count(), 2);
}

#[tokio::test]
async fn headers_go_to_feeds_and_never_to_articles() {
    let world = world(2).await;
    sync_all(&world).await;
    for request in world.requests() {
        let is_feed = FEEDS.contains(&request.path());
        assert_eq!(request.value("x-feed-key").as_deref(), Some(KEY).filter(|_| is_feed), "{}", request.path());
    }
}

#[tokio::test]
async fn a_page_that_is_missing_for_now_is_made_up_for_later() {
    let world = world(1).await;
    world.web().feeds[0][0].body = Some("<p>The beginning of the story.</p>".to_owned());
    world.web().instead.insert("/articles/1".to_owned(), (503, String::new()));
    let mut knowledge_base = sync_all(&world).await;
    assert!(text(&knowledge_base, "urn:item:1").contains("The beginning"));
    world.heal().await;
    sync(&world, &mut knowledge_base).await.assert_success();
    assert!(text(&knowledge_base, "urn:item:1").contains("Story number 0"));
}

#[tokio::test]
async fn items_that_roll_off_are_no_deletions() {
    let world = world(3).await;
    let mut knowledge_base = sync_all(&world).await;
    world.web().feeds[0].remove(0);
    let run = sync(&world, &mut knowledge_base).await;
    run.assert_success();
    assert_eq!((run.deleted, run.emitted), (vec![], vec![]));
    assert_eq!(knowledge_base.documents.len(), 3);
}

#[tokio::test]
async fn a_feed_that_cannot_be_read_is_listed_with_the_reason() {
    let world = world(1).await;
    world.web().instead.insert(FEEDS[1].to_owned(), (404, String::new()));
    let resources = world.connector().list_resources(&world.config(), None).await.unwrap();
    let names: Vec<_> = resources.iter().map(|resource| resource.name.as_str()).collect();
    assert_eq!(names, ["Feed 0", world.resource(1).as_str()]);
    assert!(resources[1].description.as_deref().unwrap().starts_with("could not be read"));
    assert!(world.connector().validate(&world.config()).await.is_ok(), "one of the feeds can be read");
}
