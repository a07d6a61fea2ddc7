//! How the stand-in writes pages, databases and blocks as JSON.

use jiff::{SignedDuration, Timestamp};
use serde_json::{Map, Value, json};

use super::node::{Kind, Node, Place};
use super::world::World;

/// A text as one run.
pub fn rich(text: &str) -> Value {
    if text.is_empty() { json!([]) } else { json!([styled(text, &[])]) }
}

/// A run with marks: `bold`, `italic`, `strikethrough`, `underline`, `code`.
pub fn styled(text: &str, marks: &[&str]) -> Value {
    let is = |mark: &str| marks.contains(&mark);
    json!({
        "type": "text",
        "text": {"content": text, "link": null},
        "annotations": {
            "bold": is("bold"), "italic": is("italic"), "strikethrough": is("strikethrough"),
            "underline": is("underline"), "code": is("code"), "color": "default",
        },
        "plain_text": text,
        "href": null,
    })
}

impl World {
    /// Something as the service shows it; `origin` is where files are to be had.
    pub(super) fn shown(&mut self, id: &str, origin: &str) -> Value {
        let node = self.nodes[id].clone();
        let mut shown = match &node.kind {
            Kind::Page => self.page(id, &node),
            Kind::Database => self.database(id, &node),
            Kind::DataSource => self.data_source(id, &node),
            Kind::Block(kind) => self.block(id, &node, kind),
        };
        self.sign(&mut shown, origin);
        shown
    }

    /// A child page or database as the block that stands for it in its page.
    pub(super) fn shown_as_block(&mut self, id: &str, origin: &str) -> Value {
        let node = self.nodes[id].clone();
        let kind = match node.kind {
            Kind::Page => "child_page",
            Kind::Database => "child_database",
            Kind::DataSource | Kind::Block(_) => return self.shown(id, origin),
        };
        let mut block = base("block", id, &node);
        block.insert("parent".to_owned(), parent(&node.place, self));
        block.insert("has_children".to_owned(), json!(!node.inside.is_empty() && kind == "child_page"));
        block.insert("type".to_owned(), json!(kind));
        block.insert(kind.to_owned(), json!({"title": node.title}));
        Value::Object(block)
    }

    /// A moment after which a signed address is dead.
    pub(super) fn expiry(&self) -> Timestamp {
        self.clock.now() + SignedDuration::from_hours(1)
    }

    fn page(&self, id: &str, node: &Node) -> Value {
        let mut page = base("page", id, node);
        let slug: String = node.title.chars().filter(char::is_ascii_alphanumeric).collect();
        let url = format!("https://app.notion.com/p/{slug}-{}", id.replace('-', ""));
        let is_row = matches!(node.place, Place::Rows(_));
        let mut properties = Map::new();
        let title_name = if is_row { "Name" } else { "title" };
        properties.insert(title_name.to_owned(), json!({"id": "title", "type": "title", "title": rich(&node.title)}));
        for (number, (name, value)) in node.fields.iter().filter(|_| is_row).enumerate() {
            let mut value = value.clone();
            value["id"] = value.get("id").cloned().unwrap_or_else(|| json!(property_id(name, number)));
            self.cut_references(&mut value);
            properties.insert(name.clone(), value);
        }
        page.insert("parent".to_owned(), parent(&node.place, self));
        page.insert("properties".to_owned(), Value::Object(properties));
        for (name, value) in
            [("cover", Value::Null), ("icon", Value::Null), ("public_url", Value::Null), ("url", json!(url))]
        {
            page.insert(name.to_owned(), value);
        }
        page.insert("is_archived".to_owned(), json!(node.is_archived));
        page.insert("is_locked".to_owned(), json!(false));
        Value::Object(page)
    }

    /// Only so many references stand in a page.
    fn cut_references(&self, property: &mut Value) {
        let kind = property["type"].as_str().unwrap_or_default().to_owned();
        if kind == "relation" {
            property["has_more"] = json!(false);
        }
        let cap = self.reference_cap;
        if let Some(list) = property.get_mut(&kind).and_then(Value::as_array_mut)
            && matches!(kind.as_str(), "relation" | "people" | "rich_text")
            && list.len() > cap
        {
            list.truncate(cap);
            if kind == "relation" {
                property["has_more"] = json!(true);
            }
        }
    }

    fn database(&self, id: &str, node: &Node) -> Value {
        let mut database = base("database", id, node);
        let named = |source: &String| json!({"id": source, "name": self.nodes[source].title});
        let sources: Vec<_> = node.inside.iter().filter(|source| self.sees(source)).map(named).collect();
        database.insert("title".to_owned(), rich(&node.title));
        database.insert("description".to_owned(), json!([]));
        database.insert("parent".to_owned(), parent(&node.place, self));
        database.insert("data_sources".to_owned(), json!(sources));
        database.insert("is_inline".to_owned(), json!(false));
        Value::Object(database)
    }

    fn data_source(&self, id: &str, node: &Node) -> Value {
        let mut source = base("data_source", id, node);
        let above = node.place.id().map(|database| parent(&self.nodes[database].place, self));
        let mut properties = Map::new();
        properties.insert("Name".to_owned(), json!({"id": "title", "name": "Name", "type": "title", "title": {}}));
        for (number, (name, value)) in node.fields.iter().enumerate() {
            let kind = value["type"].as_str().unwrap_or_default().to_owned();
            let config = json!({"id": property_id(name, number), "name": name, "type": kind, (kind.as_str()): {}});
            properties.insert(name.clone(), config);
        }
        source.insert("title".to_owned(), rich(&node.title));
        source.insert("description".to_owned(), json!([]));
        source.insert("parent".to_owned(), parent(&node.place, self));
        source.insert("database_parent".to_owned(), above.unwrap_or(Value::Null));
        source.insert("properties".to_owned(), Value::Object(properties));
        Value::Object(source)
    }

    fn block(&self, id: &str, node: &Node, kind: &str) -> Value {
        let mut block = base("block", id, node);
        let copied = node.fields.get("synced_block").and_then(|synced| synced["synced_from"]["block_id"].as_str());
        block.insert("parent".to_owned(), parent(&node.place, self));
        block.insert("has_children".to_owned(), json!(!node.inside.is_empty() || copied.is_some()));
        block.insert("type".to_owned(), json!(kind));
        block.extend(node.fields.clone());
        Value::Object(block)
    }

    /// Gives every file of the stand-in an address that is signed, and another one each time.
    fn sign(&mut self, value: &mut Value, origin: &str) {
        match value {
            Value::Object(fields) => {
                if let Some(name) = fields.get("stand_in").and_then(Value::as_str).map(str::to_owned) {
                    self.signatures += 1;
                    let (until, number) = (self.expiry(), self.signatures);
                    let url = format!(
                        "{origin}/files/{name}?X-Amz-Expires={}&X-Amz-Signature={number:016x}",
                        until.as_second()
                    );
                    *value = json!({"url": url, "expiry_time": until.to_string()});
                } else {
                    fields.values_mut().for_each(|value| self.sign(value, origin));
                }
            }
            Value::Array(list) => list.iter_mut().for_each(|value| self.sign(value, origin)),
            _ => {}
        }
    }
}

/// What all objects have in common.
fn base(object: &str, id: &str, node: &Node) -> Map<String, Value> {
    let user = json!({"object": "user", "id": "aa000000-0000-4000-8000-000000000001"});
    let fields = [
        ("object", json!(object)),
        ("id", json!(id)),
        ("created_time", json!(minute(node.created))),
        ("last_edited_time", json!(minute(node.edited))),
        ("created_by", user.clone()),
        ("last_edited_by", user),
        ("in_trash", json!(node.is_trashed)),
    ];
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A moment rounded down to its minute.
pub(super) fn minute(at: Timestamp) -> String {
    at.strftime("%Y-%m-%dT%H:%M:00.000Z").to_string()
}

/// The id of a property, percent-encoded as the service gives it.
pub(super) fn property_id(name: &str, number: usize) -> String {
    let letters: String = name.chars().filter(char::is_ascii_alphanumeric).take(3).collect();
    format!("{letters}%3A{number}")
}

fn parent(place: &Place, world: &World) -> Value {
    match place {
        Place::Workspace => json!({"type": "workspace", "workspace": true}),
        Place::Page(id) => json!({"type": "page_id", "page_id": id}),
        Place::Block(id) => json!({"type": "block_id", "block_id": id}),
        Place::Database(id) => json!({"type": "database_id", "database_id": id}),
        Place::Rows(id) => {
            let database = world.nodes.get(id).and_then(|source| source.place.id());
            json!({"type": "data_source_id", "data_source_id": id, "database_id": database})
        }
    }
}
