//! Does a connector say what it is, and show what can be selected?
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use headwater_domain::ErrorKind;
use headwater_ports::Capability;

use super::run::{fill, sync};
use super::{BRANCHES, World, sync_all};
use crate::fakes::MemoryKnowledgeBase;

pub async fn it_says_what_it_is(world: Arc<dyn World>) {
    let (connector, abilities) = (world.connector(), world.abilities());
    let metadata = connector.metadata();
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    assert!(!metadata.connector_type.is_empty() && metadata.connector_type.chars().all(is_word));
    assert_eq!(connector.connector_type(), metadata.connector_type);
    assert!(!metadata.name.is_empty() && !metadata.description.is_empty());
    let claims = |capability| metadata.capabilities.contains(&capability);
    assert_eq!(
        claims(Capability::DeletionSync),
        abilities.deletions,
        "deletion_sync is claimed exactly where it works"
    );
    assert_eq!(claims(Capability::LazyResources), abilities.levels, "lazy_resources is claimed exactly where it works");
    assert!(claims(Capability::Incremental), "every connector reads only what changed");
    let names: BTreeSet<_> = metadata.fields.iter().map(|field| field.name).collect();
    assert_eq!(names.len(), metadata.fields.len(), "each field is described once");
    connector.validate(&world.config()).await.unwrap();
}

pub async fn a_picker_can_open_the_way_to_every_branch(world: Arc<dyn World>) {
    fill(world.as_ref(), 1).await;
    let (connector, config) = (world.connector(), world.config());
    let wanted: BTreeSet<_> = (0..BRANCHES).map(|branch| world.resource(branch)).collect();
    let top = connector.list_resources(&config, None).await.unwrap();
    let ancestors = connector.resolve_resource_ancestors(&config, &config.resource_ids).await.unwrap();
    assert_eq!(ancestors.iter().collect::<BTreeSet<_>>().len(), ancestors.len(), "each ancestor comes once");

    let mut seen = BTreeSet::new();
    let mut levels = VecDeque::from([top]);
    let mut opened = BTreeSet::new();
    while let Some(level) = levels.pop_front() {
        for resource in level {
            assert!(
                !resource.external_id.is_empty() && !resource.name.is_empty() && !resource.resource_type.is_empty()
            );
            seen.insert(resource.external_id.clone());
            if ancestors.contains(&resource.external_id) && opened.insert(resource.external_id.clone()) {
                assert!(resource.has_children, "{} lies above others", resource.external_id);
                levels.push_back(connector.list_resources(&config, Some(&resource.external_id)).await.unwrap());
            }
        }
    }
    assert!(seen.is_superset(&wanted), "opening {ancestors:?} shows {seen:?}, not all of {wanted:?}");
}

pub async fn an_unknown_resource_is_named_and_spares_the_others(world: Arc<dyn World>) {
    fill(world.as_ref(), 2).await;
    let reference = sync_all(world.as_ref()).await;
    let mut config = world.config();
    config.resource_ids.push(world.unknown_resource());
    let mut knowledge_base = MemoryKnowledgeBase::default();
    let run = super::sync_with(world.as_ref(), &config, &mut knowledge_base).await;
    run.assert_failed_in_part(None);
    let unknown = world.unknown_resource();
    assert!(
        run.failed.iter().any(|failed| failed.resource_id.as_deref() == Some(unknown.as_str())),
        "{:?}",
        run.failed
    );
    assert_eq!(knowledge_base.documents, reference.documents);
}

pub async fn an_empty_listing_deletes_nothing(world: Arc<dyn World>) {
    fill(world.as_ref(), 3).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    let documents = knowledge_base.documents.clone();
    for branch in 0..BRANCHES {
        world.empty_branch(branch).await;
        let run = sync(world.as_ref(), &mut knowledge_base).await;
        assert_eq!(run.deleted, Vec::<String>::new());
        assert_eq!(knowledge_base.documents, documents);
    }
    world.heal().await;
    sync(world.as_ref(), &mut knowledge_base).await.assert_success();
    assert_eq!(knowledge_base.documents, documents);
}

pub async fn a_capped_listing_deletes_nothing(world: Arc<dyn World>) {
    if !world.abilities().caps {
        return;
    }
    fill(world.as_ref(), 4).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    let documents = knowledge_base.documents.clone();
    world.cap_branch(0).await;
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    assert_eq!(run.deleted, Vec::<String>::new());
    assert_eq!(knowledge_base.documents, documents);
}

pub async fn a_listing_in_circles_ends(world: Arc<dyn World>) {
    if !world.abilities().pages {
        return;
    }
    fill(world.as_ref(), 4).await;
    let mut knowledge_base = sync_all(world.as_ref()).await;
    world.loop_branch(0).await;
    let run = sync(world.as_ref(), &mut knowledge_base).await;
    run.assert_failed_in_part(Some(ErrorKind::PaginationLoop));
    assert_eq!(run.deleted, Vec::<String>::new());
}
