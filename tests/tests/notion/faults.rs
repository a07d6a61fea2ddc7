//! Is what the service gets wrong, or says in its own way, understood?

use std::time::Duration;

use headwater_domain::ErrorKind;
use headwater_ports::Connector;
use headwater_tests::server::Reply;
use headwater_tests::stand_in::notion::{Fault, Place, Trouble, rich};
use serde_json::json;

use super::kit::Kit;

fn once(words: &str, trouble: Trouble) -> Fault {
    Fault { words: words.to_owned(), times: 1, trouble }
}

async fn with_page() -> (Kit, String) {
    let kit = Kit::new().await;
    let page = {
        let mut world = kit.server.world();
        let page = world.add_page(&Place::Workspace, "Page");
        world.set_text(&page, "words");
        page
    };
    (kit, page)
}

#[tokio::test]
async fn a_stuck_cursor_ends_the_listing_and_keeps_what_came() {
    let mut kit = Kit::new().await;
    let pages: Vec<_> =
        (0..3).map(|number| kit.server.world().add_page(&Place::Workspace, &format!("P{number}"))).collect();
    kit.server.world().page_cap = 2;
    kit.server.world().loop_listing("search");
    let run = kit.sync(&[]).await.unwrap();
    assert_eq!(run.failed[0].kind, ErrorKind::PaginationLoop);
    assert_eq!(run.asked_for("/v1/search"), 2, "the third request would be the second again");
    assert!(run.emitted.len() >= 2 && run.emitted.iter().all(|id| pages.contains(id)));
    assert!(run.deleted.is_empty());
}

#[tokio::test]
async fn a_cursor_that_expired_starts_the_search_again() {
    let mut kit = Kit::new().await;
    for number in 0..7 {
        kit.server.world().add_page(&Place::Workspace, &format!("P{number}"));
    }
    kit.server.world().page_cap = 2;
    kit.server.world().let_cursors_die(2);
    let run = kit.sync(&[]).await.unwrap();
    run.assert_success();
    assert_eq!(run.emitted.len(), 7);
}

#[tokio::test]
async fn a_wait_that_is_asked_for_is_kept() {
    let (mut kit, page) = with_page().await;
    kit.server.world().meet(once("/v1/search", Trouble::Throttled(37)));
    kit.sync(&[&page]).await.unwrap().assert_success();
    assert!(kit.timer.slept().contains(&Duration::from_secs(37)), "{:?}", kit.timer.slept());
}

#[tokio::test]
async fn an_overload_is_waited_out_like_a_limit() {
    let (mut kit, page) = with_page().await;
    let overload = Reply::new(529).header("Retry-After", "12").body("not of the service");
    kit.server.world().meet(once("/v1/pages", Trouble::Foreign(overload)));
    kit.sync(&[&page]).await.unwrap().assert_success();
    assert!(kit.timer.slept().contains(&Duration::from_secs(12)));
}

#[tokio::test]
async fn a_gateway_that_gives_up_is_asked_for_less() {
    let (mut kit, page) = with_page().await;
    kit.server.world().meet(once("/children", Trouble::Refused(504, "gateway_timeout")));
    let run = kit.sync(&[&page]).await.unwrap();
    run.assert_success();
    let asked: Vec<_> = run.asked.iter().filter(|target| target.contains("/children")).collect();
    assert!(asked[0].contains("page_size=100") && asked[1].contains("page_size=50"), "{asked:?}");
}

#[tokio::test]
async fn answers_that_are_no_json_are_errors_and_no_text() {
    let (mut kit, page) = with_page().await;
    let html = Reply::new(502).body("<html>Bad gateway</html>");
    kit.server.world().meet(once("/children", Trouble::Foreign(html)));
    kit.sync(&[&page]).await.unwrap().assert_success();
    kit.server.world().set_text(&page, "other words");
    for body in ["{\"object\":\"list\",\"resu", "<html>Welcome</html>", "{\"pages\":[]}"] {
        kit.server.world().meet(once("/children", Trouble::Foreign(Reply::ok(body))));
        let run = kit.sync(&[&page]).await.unwrap();
        assert_eq!(run.failed[0].kind, ErrorKind::Malformed);
        assert!(kit.text(&page).ends_with("\nwords\n"));
    }
    kit.sync(&[&page]).await.unwrap().assert_success();
    assert!(kit.text(&page).ends_with("other words\n"));
}

#[tokio::test]
async fn a_refused_token_ends_the_run() {
    let (mut kit, page) = with_page().await;
    kit.server.world().meet(once("/children", Trouble::Refused(401, "unauthorized")));
    let error = kit.sync(&[&page]).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidCredentials);
    kit.server.world().refuse_token();
    let error = kit.connector().validate(&kit.config(&[])).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidCredentials);
}

#[tokio::test]
async fn a_missing_capability_is_named() {
    let (kit, _) = with_page().await;
    kit.server.world().meet(once("/v1/search", Trouble::Refused(403, "restricted_resource")));
    let error = kit.connector().validate(&kit.config(&[])).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Auth);
    assert!(error.to_string().contains("Read content"), "{error}");
}

#[tokio::test]
async fn a_configuration_that_will_not_do_names_its_field() {
    let kit = Kit::new().await;
    let mut config = kit.config(&[]);
    config.settings.insert("base_url".to_owned(), "ftp://example.com".into());
    let error = kit.connector().validate(&config).await.unwrap_err();
    assert!(error.kind == ErrorKind::InvalidConfig && error.to_string().contains("base_url"));
    config.credentials.clear();
    let error = kit.connector().validate(&config).await.unwrap_err();
    assert!(error.kind == ErrorKind::InvalidConfig && error.to_string().contains("api_key"));
}

#[tokio::test]
async fn a_block_that_is_not_given_out_costs_what_is_behind_it_and_no_more() {
    let (mut kit, page) = with_page().await;
    let paragraph = |text: &str| json!({"type": "paragraph", "paragraph": {"rich_text": rich(text)}});
    let mut blocks: Vec<_> = (0..5).map(|number| paragraph(&format!("line {number}"))).collect();
    blocks.push(json!({"type": "ai_block", "ai_block": {}}));
    kit.server.world().set_blocks(&page, &blocks);
    let run = kit.sync(&[&page]).await.unwrap();
    run.assert_success();
    let text = kit.text(&page);
    assert!(text.contains("line 4") && text.contains("cannot be read"), "{text}");
    assert_eq!(kit.knowledge_base.documents[&page].metadata["unread_blocks"], "unreadable: 1");
}

#[tokio::test]
async fn a_service_that_is_away_ends_the_run_before_long() {
    let mut kit = Kit::new().await;
    let top = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        for number in 0..60 {
            world.add_page(&Place::Page(top.clone()), &format!("P{number}"));
        }
        let trouble = Trouble::Refused(500, "internal_server_error");
        for words in ["/children", "/users/me"] {
            world.meet(Fault { words: words.to_owned(), times: usize::MAX, trouble: trouble.clone() });
        }
        top
    };
    let error = kit.sync(&[&top]).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::HttpStatus);
    assert!(kit.server.requests().len() < 200, "{}", kit.server.requests().len());
}

#[tokio::test]
async fn pages_that_always_fail_do_not_keep_the_others_back() {
    let mut kit = Kit::new().await;
    let (top, last) = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        for number in 0..30 {
            let page = world.add_page(&Place::Page(top.clone()), &format!("P{number}"));
            let trouble = Trouble::Foreign(Reply::ok("{}"));
            world.meet(Fault { words: format!("/{page}/children"), times: usize::MAX, trouble });
        }
        let last = world.add_page(&Place::Page(top.clone()), "Last");
        (top, last)
    };
    let run = kit.sync(&[&top]).await.unwrap();
    assert_eq!(run.failed.len(), 30);
    assert!(kit.has(&last));
}
