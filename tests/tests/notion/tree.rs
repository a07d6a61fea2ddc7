//! Is what is selected found, wherever it stands, and is nothing taken for gone that is not?

use headwater_domain::sync::SkipReason;
use headwater_ports::Connector;
use headwater_tests::stand_in::notion::{Place, rich};
use jiff::SignedDuration;
use serde_json::json;

use super::kit::Kit;

/// A page with a toggle, and a page in the toggle.
fn page_in_toggle(kit: &Kit) -> (String, String) {
    let mut world = kit.server.world();
    let top = world.add_page(&Place::Workspace, "Top");
    let toggle = "b0000000-0000-4000-8000-000000000001";
    world.set_blocks(&top, &[json!({"id": toggle, "type": "toggle", "toggle": {"rich_text": rich("More")}})]);
    let hidden = world.add_page(&Place::Block(toggle.to_owned()), "In the toggle");
    (top, hidden)
}

#[tokio::test]
async fn a_page_in_a_toggle_is_found_by_its_page_and_by_its_block() {
    let mut kit = Kit::new().await;
    let (top, hidden) = page_in_toggle(&kit);
    for resources in [&[top.as_str()][..], &[]] {
        kit.knowledge_base = Default::default();
        kit.sync(resources).await.unwrap().assert_success();
        assert_eq!(kit.knowledge_base.documents[&hidden].path, ["Top"]);
        let run = kit.sync(resources).await.unwrap();
        assert_eq!((run.emitted.len(), run.asked_for("/blocks/")), (0, 0));
    }
    let ancestors = kit.connector().resolve_resource_ancestors(&kit.config(&[]), &[hidden]).await.unwrap();
    assert_eq!(ancestors, std::slice::from_ref(&top));
    let below = kit.connector().list_resources(&kit.config(&[]), Some(&top)).await.unwrap();
    assert_eq!(below[0].name, "In the toggle");
}

#[tokio::test]
async fn a_page_that_is_given_later_is_found_though_nothing_above_it_changed() {
    let mut kit = Kit::new().await;
    let (top, hidden) = page_in_toggle(&kit);
    kit.server.world().hide(&hidden, true);
    kit.sync(&[&top]).await.unwrap().assert_success();
    assert!(!kit.has(&hidden));
    kit.server.world().hide(&hidden, false);
    let run = kit.sync(&[&top]).await.unwrap();
    assert_eq!(run.emitted, std::slice::from_ref(&hidden));
    assert_eq!(kit.knowledge_base.documents[&hidden].path, ["Top"]);
}

#[tokio::test]
async fn what_the_search_does_not_list_is_there_all_the_same() {
    let mut kit = Kit::new().await;
    let (top, page) = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        let page = world.add_page(&Place::Page(top.clone()), "Page");
        world.unlist(&page);
        (top, page)
    };
    for resources in [&[top.as_str()][..], &[]] {
        kit.knowledge_base = Default::default();
        kit.sync(resources).await.unwrap().assert_success();
        assert!(kit.has(&page));
        kit.server.world().set_text(&page, "edited");
        let run = kit.sync(resources).await.unwrap();
        run.assert_success();
        assert!(run.deleted.is_empty() && kit.text(&page).contains("edited"));
        kit.server.world().set_text(&page, "again");
    }
}

#[tokio::test]
async fn an_edit_in_the_minute_of_the_reading_is_not_lost() {
    let mut kit = Kit::new().await;
    let page = kit.server.world().add_page(&Place::Workspace, "Page");
    kit.clock.advance(SignedDuration::from_secs(60));
    kit.server.world().set_text(&page, "first");
    kit.sync_now(&[&page]).await.unwrap().assert_success();
    kit.server.world().set_text(&page, "second");
    let before = kit.server.world().edited(&page);
    let run = kit.sync(&[&page]).await.unwrap();
    assert_eq!(run.emitted, std::slice::from_ref(&page), "edited at {before}, in the minute in which it was read");
    assert!(kit.text(&page).contains("second"));
    let run = kit.sync(&[&page]).await.unwrap();
    assert_eq!((run.emitted.len(), run.asked_for("/children")), (0, 0));
}

#[tokio::test]
async fn a_page_read_in_the_minute_of_its_edit_is_read_again_and_not_handed_over_again() {
    let mut kit = Kit::new().await;
    let page = kit.server.world().add_page(&Place::Workspace, "Page");
    kit.sync_now(&[&page]).await.unwrap().assert_success();
    let run = kit.sync(&[&page]).await.unwrap();
    assert_eq!((run.emitted.len(), run.asked_for("/children"), run.unchanged), (0, 1, 1));
    assert_eq!(kit.sync(&[&page]).await.unwrap().asked_for("/children"), 0);
}

#[tokio::test]
async fn what_is_in_something_trashed_is_gone_with_it() {
    let mut kit = Kit::new().await;
    let ids = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        let middle = world.add_page(&Place::Page(top.clone()), "Middle");
        let low = world.add_page(&Place::Page(middle.clone()), "Low");
        [top, middle, low]
    };
    kit.sync(&[&ids[0]]).await.unwrap().assert_success();
    kit.server.world().trash(&ids[1]);
    let run = kit.sync(&[&ids[0]]).await.unwrap();
    run.assert_success();
    assert_eq!(run.deleted, ids[1..]);
}

#[tokio::test]
async fn what_is_moved_out_of_the_selection_is_excluded_and_not_deleted() {
    let mut kit = Kit::new().await;
    let (top, other, page) = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        let other = world.add_page(&Place::Workspace, "Other");
        let page = world.add_page(&Place::Page(top.clone()), "Page");
        (top, other, page)
    };
    kit.sync(&[&top]).await.unwrap().assert_success();
    kit.server.world().move_to(&page, &Place::Page(other.clone()));
    let run = kit.sync(&[&top]).await.unwrap();
    run.assert_success();
    assert!(run.deleted.is_empty() && kit.has(&page));
    assert_eq!((run.skipped[0].external_id.as_str(), run.skipped[0].reason), (page.as_str(), SkipReason::Excluded));
}

#[tokio::test]
async fn what_is_moved_between_two_roots_stays_and_changes_its_place() {
    let mut kit = Kit::new().await;
    let (one, two, page) = {
        let mut world = kit.server.world();
        let one = world.add_page(&Place::Workspace, "One");
        let two = world.add_page(&Place::Workspace, "Two");
        let page = world.add_page(&Place::Page(one.clone()), "Page");
        (one, two, page)
    };
    kit.sync(&[&one, &two]).await.unwrap().assert_success();
    kit.server.world().move_to(&page, &Place::Page(two.clone()));
    let run = kit.sync(&[&one, &two]).await.unwrap();
    run.assert_success();
    assert!(run.deleted.is_empty());
    let item = &kit.knowledge_base.documents[&page];
    assert_eq!((item.path.as_slice(), &item.source_resource_id), (&["Two".to_owned()][..], &two));
    let run = kit.sync(&[&one, &two]).await.unwrap();
    assert_eq!((run.emitted.len(), run.deleted.len()), (0, 0));
}

#[tokio::test]
async fn a_row_that_is_set_aside_stays() {
    let mut kit = Kit::new().await;
    let (database, row) = {
        let mut world = kit.server.world();
        let [database, source] = world.add_database(&Place::Workspace, "Tasks", json!({}));
        world.add_row(&source, "Other", json!({}));
        (database, world.add_row(&source, "Row", json!({})))
    };
    kit.sync(&[&database]).await.unwrap().assert_success();
    kit.server.world().archive(&row);
    let run = kit.sync(&[&database]).await.unwrap();
    run.assert_success();
    assert!(kit.has(&row) && run.deleted.is_empty());
    assert_eq!(run.skipped[0].reason, SkipReason::Excluded);
}

#[tokio::test]
async fn a_grant_that_is_taken_away_in_the_middle_deletes_nothing() {
    let mut kit = Kit::new().await;
    let (top, page) = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        let page = world.add_page(&Place::Page(top.clone()), "Page");
        (top, page)
    };
    kit.sync(&[]).await.unwrap().assert_success();
    kit.server.world().hide(&top, true);
    let run = kit.sync(&[]).await.unwrap();
    assert!(run.deleted.is_empty() && kit.has(&page) && kit.has(&top));
}

#[tokio::test]
async fn a_whole_workspace_is_read_with_its_databases_and_their_rows() {
    let mut kit = Kit::new().await;
    let (row, source, below) = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        let [_, source] = world.add_database(&Place::Page(top), "Tasks", json!({}));
        let row = world.add_row(&source, "Row", json!({}));
        let below = world.add_page(&Place::Page(row.clone()), "Below the row");
        (row, source, below)
    };
    let run = kit.sync(&[]).await.unwrap();
    run.assert_success();
    assert_eq!(run.emitted.len(), 4);
    assert_eq!(kit.knowledge_base.documents[&row].path, ["Top", "Tasks"]);
    assert_eq!(kit.knowledge_base.documents[&below].path, ["Top", "Tasks", "Row"]);
    assert_eq!(kit.knowledge_base.documents[&source].metadata["object_type"], "database");
    let run = kit.sync(&[]).await.unwrap();
    assert_eq!((run.emitted.len(), run.unchanged), (0, 4));
}

#[tokio::test]
async fn a_new_title_of_a_page_moves_what_is_below_it() {
    let mut kit = Kit::new().await;
    let (top, page) = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Old");
        let page = world.add_page(&Place::Page(top.clone()), "Page");
        (top, page)
    };
    kit.sync(&[&top]).await.unwrap().assert_success();
    kit.server.world().rename(&top, "New");
    let run = kit.sync(&[&top]).await.unwrap();
    assert!(run.emitted.contains(&page));
    assert_eq!(kit.knowledge_base.documents[&page].path, ["New"]);
}

#[tokio::test]
async fn titles_of_any_kind_are_names_of_files() {
    let mut kit = Kit::new().await;
    let titles = ["a/b", "📘 guide", "same", "same", "", &"汉".repeat(300)];
    for title in titles {
        kit.server.world().add_page(&Place::Workspace, title);
    }
    let run = kit.sync(&[]).await.unwrap();
    run.assert_success();
    assert_eq!(run.emitted.len(), titles.len(), "two documents with one title are two documents");
    let top = kit.connector().list_resources(&kit.config(&[]), None).await.unwrap();
    assert_eq!(top.len(), titles.len());
    assert!(top.iter().all(|resource| !resource.name.is_empty()));
}

#[tokio::test]
async fn a_picker_opens_databases_level_by_level() {
    let kit = Kit::new().await;
    let (top, database, source, row) = {
        let mut world = kit.server.world();
        let top = world.add_page(&Place::Workspace, "Top");
        let [database, source] = world.add_database(&Place::Page(top.clone()), "Tasks", json!({}));
        let row = world.add_row(&source, "Row", json!({}));
        (top, database, source, row)
    };
    let (connector, config) = (kit.connector(), kit.config(&[]));
    let ancestors = connector.resolve_resource_ancestors(&config, std::slice::from_ref(&row)).await.unwrap();
    assert_eq!(ancestors, [top.clone(), database.clone(), source.clone()]);
    let mut parent = None;
    for (wanted, kind) in [(&top, "page"), (&database, "database"), (&source, "data_source"), (&row, "page")] {
        let level = connector.list_resources(&config, parent).await.unwrap();
        assert_eq!((level.len(), &level[0].external_id, level[0].resource_type.as_str()), (1, wanted, kind));
        assert_eq!(level[0].parent_id.as_deref(), parent);
        parent = Some(wanted.as_str());
    }
}
