//! What can be selected in a space or a folder, level by level.

use headwater_domain::ErrorKind;
use headwater_domain::sync::Resource;
use headwater_ports::{Error, Result};
use jiff::Timestamp;

use super::api::{Api, Found};
use super::calls::Listing;
use super::config::{OPERATION, Selected, invalid};

/// The topmost level: the spaces of which the app is a member, and the folders of the settings.
pub(super) async fn topmost(api: &Api) -> Result<Vec<Resource>> {
    let mut resources = Vec::new();
    let mut listing = Listing::new();
    while !listing.is_over() {
        resources.extend(api.spaces(&mut listing).await?.into_iter().map(|space| Resource {
            external_id: space.space_id,
            name: space.name,
            resource_type: "wiki_space".to_owned(),
            description: Some(space.description).filter(|text| !text.is_empty()),
            has_children: true,
            ..Resource::default()
        }));
    }
    for folder in &api.settings.folders {
        let name = match api.folder(folder).await? {
            Found::Here(meta) => meta.name,
            Found::Missing | Found::Hidden(_) => folder.clone(),
        };
        resources.push(Resource {
            external_id: Selected::Folder(folder.clone()).id(),
            name,
            resource_type: "drive_folder".to_owned(),
            has_children: true,
            ..Resource::default()
        });
    }
    Ok(resources)
}

/// What lies right below a space, a node or a folder.
pub(super) async fn below(api: &Api, parent: &str) -> Result<Vec<Resource>> {
    match Selected::parse(parent) {
        Some(Selected::Space(space)) => nodes(api, &space, None, parent).await,
        Some(Selected::Node(space, node)) => nodes(api, &space, Some(&node), parent).await,
        Some(Selected::Folder(folder)) => files(api, &folder, parent).await,
        None => Err(invalid(&format!("{parent:?} names no space, node or folder"))),
    }
}

/// What lies above the given nodes, the outermost first.
pub(super) async fn ancestors(api: &Api, ids: &[String]) -> Result<Vec<String>> {
    let mut above: Vec<String> = Vec::new();
    for id in ids {
        let Some(Selected::Node(space, node)) = Selected::parse(id) else {
            continue;
        };
        let mut chain = Vec::new();
        let mut next = api.node(&node).await?.required(&format!("node {node}"))?.parent_node_token;
        while !next.is_empty() {
            if chain.len() >= MAX_DEPTH || chain.contains(&next) {
                return Err(Error::new(ErrorKind::PaginationLoop, OPERATION, "the nodes above lead in circles"));
            }
            let parent = api.node(&next).await?.required(&format!("node {next}"))?;
            chain.push(std::mem::replace(&mut next, parent.parent_node_token));
        }
        let chain = chain.into_iter().rev().map(|token| Selected::Node(space.clone(), token).id());
        for id in std::iter::once(space.clone()).chain(chain) {
            if !above.contains(&id) {
                above.push(id);
            }
        }
    }
    Ok(above)
}

async fn nodes(api: &Api, space: &str, node: Option<&str>, parent: &str) -> Result<Vec<Resource>> {
    let mut resources = Vec::new();
    let mut listing = Listing::new();
    while !listing.is_over() {
        let page = api.nodes(space, node, &mut listing).await?.required(&format!("space {space}"))?;
        resources.extend(page.into_iter().map(|node| Resource {
            external_id: Selected::Node(space.to_owned(), node.node_token.clone()).id(),
            name: node.title,
            resource_type: "wiki_node".to_owned(),
            description: Some(node.obj_type).filter(|kind| !kind.is_empty()),
            url: Some(format!("{}/wiki/{}", api.settings.web_origin, node.node_token)),
            parent_id: Some(parent.to_owned()),
            has_children: node.has_child && node.node_type != "shortcut",
            modified_at: node.obj_edit_time.parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok()),
        }));
    }
    Ok(resources)
}

async fn files(api: &Api, folder: &str, parent: &str) -> Result<Vec<Resource>> {
    let mut resources = Vec::new();
    let mut listing = Listing::new();
    while !listing.is_over() {
        let page = api.files(folder, &mut listing).await?.required(&format!("folder {folder}"))?;
        // Of a folder only folders can be selected.
        resources.extend(page.into_iter().filter(|file| file.kind == "folder").map(|file| Resource {
            external_id: Selected::Folder(file.token).id(),
            name: file.name,
            resource_type: "drive_folder".to_owned(),
            url: Some(file.url).filter(|url| !url.is_empty()),
            parent_id: Some(parent.to_owned()),
            has_children: true,
            modified_at: file.modified_time.parse().ok().and_then(|seconds| Timestamp::from_second(seconds).ok()),
            ..Resource::default()
        }));
    }
    Ok(resources)
}

/// Levels of nodes; the vendor allows 50.
const MAX_DEPTH: usize = 100;
