//! What can be selected: pages, databases, data sources and rows, one level at a time.

use std::collections::{HashMap, HashSet};

use headwater_domain::sync::Resource;
use headwater_ports::Result;
use jiff::Timestamp;

use super::api::{Api, Ask};
use super::id::{normal_id, stable_link};
use super::index::{Index, moment, title_of};
use super::paging::Pages;
use super::parent::{Id, Parent};
use super::run::{Named, named};
use super::wire::{Block, Object, text};

/// What stands at the top: what the integration was given, and nothing above it. The service has no other listing of that
/// than its search.
pub(super) async fn top(api: &Api) -> Result<Vec<Resource>> {
    let mut index = Index::read(api, usize::MAX).await;
    if let Some(error) = index.failure.take() {
        return Err(error);
    }
    let mut databases = HashSet::new();
    let mut found = Vec::new();
    for id in index.ids() {
        let Some(entry) = index.entry(&id) else { continue };
        let stands_in_another = match &entry.parent {
            Parent::Page(above) | Parent::DataSource(above) | Parent::Database(above) => index.entry(above).is_some(),
            Parent::Block(_) => true,
            Parent::Workspace | Parent::Unknown => false,
        };
        if stands_in_another {
            continue;
        }
        let resource = match &entry.database {
            Some(database) if !databases.insert(database.clone()) => continue,
            Some(database) => resource(database, &entry.title, "database", None, entry.edited),
            None => resource(&id, &entry.title, "page", None, entry.edited),
        };
        found.push(resource);
    }
    found.sort_by(|one, other| (&one.name, &one.external_id).cmp(&(&other.name, &other.external_id)));
    Ok(found)
}

/// What stands directly in a resource.
pub(super) async fn below(api: &Api, parent: &str) -> Result<Vec<Resource>> {
    let id = normal_id(parent);
    match named(api, &id).await? {
        Named::Page(_) => below_page(api, &id).await,
        Named::Database(database) => below_database(api, &database).await,
        Named::DataSource(_) => rows(api, &id).await,
    }
}

/// The resources above those, each once, the outermost first.
pub(super) async fn ancestors(api: &Api, ids: &[String]) -> Result<Vec<String>> {
    let mut climbs = Climbs::default();
    let mut found: Vec<String> = Vec::new();
    for id in ids {
        let above = climbs.above(api, &normal_id(id)).await?;
        for id in above {
            if !found.contains(&id) {
                found.push(id);
            }
        }
    }
    Ok(found)
}

/// Parents that were asked for.
#[derive(Default)]
struct Climbs {
    parents: HashMap<String, Parent>,
}

impl Climbs {
    /// What is above an id, the outermost first. What is not shared ends the way.
    async fn above(&mut self, api: &Api, id: &str) -> Result<Vec<String>> {
        let mut above = Vec::new();
        let mut at = match self.parents.get(id) {
            Some(parent) => parent.clone(),
            None => {
                let parent = parent_of(named(api, id).await?.object());
                self.parents.insert(id.to_owned(), parent.clone());
                parent
            }
        };
        for _ in 0..MAX_LEVELS {
            let next = match &at {
                Parent::Workspace | Parent::Unknown => break,
                Parent::Page(id) | Parent::DataSource(id) | Parent::Database(id) | Parent::Block(id) => Id::clone(id),
            };
            if !matches!(at, Parent::Block(_)) {
                if above.iter().any(|known: &String| **known == *next) {
                    break;
                }
                above.push(next.to_string());
            }
            at = self.parent(api, &at, &next).await?;
        }
        above.reverse();
        Ok(above)
    }

    async fn parent(&mut self, api: &Api, kind: &Parent, id: &str) -> Result<Parent> {
        if let Some(parent) = self.parents.get(id) {
            return Ok(parent.clone());
        }
        let answer = match kind {
            Parent::DataSource(_) => api.data_source(id).await.map(|object| Parent::from(&object.parent)),
            Parent::Database(_) => api.database(id).await.map(|object| Parent::from(&object.parent)),
            Parent::Block(_) => api.block(id).await.map(|block| Parent::from(&block.parent)),
            _ => api.page(id).await.map(|object| Parent::from(&object.parent)),
        };
        let parent = match answer {
            Ok(parent) => parent,
            Err(error) if super::answer::is_absent(&error) => Parent::Unknown,
            Err(error) => return Err(error),
        };
        self.parents.insert(id.to_owned(), parent.clone());
        Ok(parent)
    }
}

/// The pages and databases that stand in a page, also in its columns and toggles.
async fn below_page(api: &Api, page: &str) -> Result<Vec<Resource>> {
    let mut found = Vec::new();
    let mut levels = vec![page.to_owned()];
    let mut seen = HashSet::new();
    while let Some(level) = levels.pop() {
        if !seen.insert(level.clone()) || seen.len() > MAX_BLOCKS_OPENED {
            continue;
        }
        let mut pages = Pages::new(Ask::Children(level));
        while let Some(listing) = pages.next::<Block>(api).await? {
            for block in listing.results {
                match block.kind.as_str() {
                    "child_page" => found.push(child(&block, page, "page")),
                    "child_database" => found.push(child(&block, page, "database")),
                    _ if block.has_children && block.kind != "table" => levels.push(normal_id(&block.id)),
                    _ => {}
                }
            }
        }
    }
    Ok(found)
}

async fn below_database(api: &Api, database: &Object) -> Result<Vec<Resource>> {
    let mut found = Vec::new();
    for source in &database.data_sources {
        let source = api.data_source(&normal_id(&source.id)).await?;
        let edited = moment(source.last_edited_time.as_deref());
        found.push(resource(
            &normal_id(&source.id),
            &title_of(&source),
            "data_source",
            Some(&normal_id(&database.id)),
            edited,
        ));
    }
    Ok(found)
}

async fn rows(api: &Api, source: &str) -> Result<Vec<Resource>> {
    let mut pages = Pages::new(Ask::Rows { source: source.to_owned(), since: None });
    let mut found = Vec::new();
    while let Some(listing) = pages.next::<Object>(api).await? {
        for row in listing.results {
            let edited = moment(row.last_edited_time.as_deref());
            found.push(resource(&normal_id(&row.id), &title_of(&row), "page", Some(source), edited));
        }
    }
    Ok(found)
}

fn child(block: &Block, page: &str, kind: &str) -> Resource {
    resource(&normal_id(&block.id), text(block.payload(), "title").unwrap_or_default(), kind, Some(page), None)
}

fn resource(id: &str, title: &str, kind: &str, parent: Option<&str>, edited: Option<Timestamp>) -> Resource {
    Resource {
        external_id: id.to_owned(),
        name: if title.is_empty() { "Untitled".to_owned() } else { title.to_owned() },
        resource_type: kind.to_owned(),
        description: None,
        url: Some(stable_link(id)),
        parent_id: parent.map(str::to_owned),
        // Whether something stands in a page is only known once it is opened.
        has_children: true,
        modified_at: edited,
    }
}

fn parent_of(object: &Object) -> Parent {
    Parent::from(&object.parent)
}

const MAX_LEVELS: usize = 1000;

/// Blocks of one page that are looked into for pages in them.
const MAX_BLOCKS_OPENED: usize = 1000;
