//! How the stand-in pages its listings.

use serde_json::{Value, json};

use super::node::{Kind, Place};
use super::objects::minute;
use super::world::World;

/// What of a listing is wanted.
pub(super) struct Wanted {
    pub(super) size: usize,
    pub(super) cursor: Option<String>,
}

/// One page of a listing.
pub(super) struct Part {
    pub(super) ids: Vec<String>,
    pub(super) next: Option<String>,
    pub(super) has_more: bool,
}

/// A listing refused, in the service's words.
pub(super) struct Invalid(pub(super) String);

impl World {
    /// The blocks of a page or block, the documents in it too, as far as they are seen.
    pub(super) fn children(&self, id: &str) -> Vec<String> {
        let original =
            self.nodes[id].fields.get("synced_block").and_then(|synced| synced["synced_from"]["block_id"].as_str());
        let id = original.filter(|original| self.nodes.contains_key(*original)).unwrap_or(id);
        let shows = |id: &&String| !self.nodes[*id].is_trashed && !self.nodes[*id].is_hidden;
        self.nodes[id].inside.iter().filter(shows).cloned().collect()
    }

    /// What the search lists, in its order.
    pub(super) fn searched(&mut self, object: Option<&str>, is_descending: bool) -> Vec<String> {
        if self.listed.as_ref().is_none_or(|(descending, _)| *descending != is_descending) {
            let found = self.nodes.iter().filter(|(id, node)| {
                matches!(node.kind, Kind::Page | Kind::DataSource)
                    && !node.is_trashed
                    && !node.is_archived
                    && !self.wrongs.unlisted.contains(*id)
            });
            let mut ids: Vec<_> =
                found.map(|(id, _)| id.clone()).filter(|id| self.sees(id) && !self.is_below_trash(id)).collect();
            ids.sort_by_key(|id| (minute(self.nodes[id].edited), id.clone()));
            if is_descending {
                ids.reverse();
            }
            self.listed = Some((is_descending, ids));
        }
        let (_, ids) = self.listed.as_ref().expect("it was just made");
        let kind = match object {
            Some("page") => Some(Kind::Page),
            Some("data_source" | "database") => Some(Kind::DataSource),
            _ => None,
        };
        match kind {
            Some(kind) => ids.iter().filter(|id| self.nodes[*id].kind == kind).cloned().collect(),
            None => ids.clone(),
        }
    }

    /// The rows of a data source that a query wants, in its order.
    pub(super) fn queried(&self, source: &str, body: &Value) -> Vec<String> {
        let live =
            |id: &&String| !self.nodes[*id].is_trashed && !self.nodes[*id].is_archived && !self.nodes[*id].is_hidden;
        let mut rows: Vec<_> = self.nodes[source].inside.iter().filter(live).cloned().collect();
        let filter = &body["filter"];
        if let Some(by) = filter["timestamp"].as_str() {
            let since = filter[by]["on_or_after"].as_str().unwrap_or_default().get(..16).unwrap_or_default().to_owned();
            rows.retain(|id| self.time(id, by)[..16] >= *since);
        }
        let sort = &body["sorts"][0];
        if let Some(by) = sort["timestamp"].as_str() {
            rows.sort_by_cached_key(|id| (self.time(id, by), id.clone()));
            if sort["direction"] == "descending" {
                rows.reverse();
            }
        }
        rows
    }

    /// The part of a listing that is wanted. A cursor is the id of what comes next.
    pub(super) fn part(&self, name: &str, ids: &[String], wanted: &Wanted) -> Result<Part, Invalid> {
        if self.wrongs.empty.contains(name) {
            return Ok(Part { ids: Vec::new(), next: None, has_more: false });
        }
        let start = match &wanted.cursor {
            None => 0,
            Some(cursor) => ids
                .iter()
                .position(|id| id == cursor)
                .ok_or_else(|| Invalid(format!("The start_cursor provided is invalid: {cursor}")))?,
        };
        let end = ids.len().min(start + wanted.size.clamp(1, 100).min(self.page_cap));
        let page = ids[start..end].to_vec();
        if self.wrongs.loops.contains(name)
            && let Some(first) = ids.first()
        {
            return Ok(Part { ids: page, next: Some(first.clone()), has_more: true });
        }
        Ok(Part { ids: page, next: ids.get(end).cloned(), has_more: end < ids.len() })
    }

    /// Rows beyond the cap are not listed, and the whole query says so.
    pub(super) fn capped(&self, rows: &mut Vec<String>) -> bool {
        let is_capped = rows.len() > self.row_cap;
        rows.truncate(self.row_cap);
        is_capped
    }

    fn time(&self, id: &str, by: &str) -> String {
        let node = &self.nodes[id];
        minute(if by == "created_time" { node.created } else { node.edited })
    }

    fn is_below_trash(&self, id: &str) -> bool {
        let mut at = self.nodes[id].place.id();
        while let Some(node) = at.and_then(|id| self.nodes.get(id)) {
            if node.is_trashed {
                return true;
            }
            at = match &node.place {
                Place::Workspace => None,
                place => place.id(),
            };
        }
        false
    }
}

/// The envelope of a listing.
pub(super) fn envelope(kind: &str, results: Vec<Value>, part: &Part) -> Value {
    json!({
        "object": "list",
        "results": results,
        "next_cursor": part.next,
        "has_more": part.has_more,
        "type": kind,
        (kind): {},
        "request_id": "3f0c980d-7a4c-4bcd-9e3b-692c0145d8c2",
    })
}
