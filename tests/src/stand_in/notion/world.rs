//! The world of the stand-in, and how tests change it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use headwater_ports::Clock;
use jiff::Timestamp;
use serde_json::{Map, Value, json};

use super::fault::{Fault, Wrongs};
use super::node::{Kind, Node, Place};
use super::objects::rich;

/// Pages, databases and rows, as the integration with the token `ntn_standin` sees them.
pub struct World {
    pub(super) nodes: BTreeMap<String, Node>,
    pub(super) files: BTreeMap<String, (String, Vec<u8>)>,
    pub(super) wrongs: Wrongs,
    pub(super) clock: Arc<dyn Clock>,
    /// The ids that the search lists, in order, until something changes.
    pub(super) listed: Option<(bool, Vec<String>)>,
    /// Requests and when the minute of the limit began.
    pub(super) minute: (Option<Timestamp>, u32),
    pub(super) cursor_uses: usize,
    pub(super) signatures: u64,
    next: u64,
    /// What happens when so many more requests have come.
    pub(super) events: Vec<(usize, Event)>,
    /// Requests that the token may make in a minute; none: as many as it likes.
    pub limit: Option<u32>,
    /// Rows that one query lists at most.
    pub row_cap: usize,
    /// References that stand in a property of a page.
    pub reference_cap: usize,
    /// Rows or blocks of a page of a listing at most, below what is asked for.
    pub page_cap: usize,
}

/// Something that happens in the world while it is asked.
pub(super) type Event = Box<dyn FnOnce(&mut World) + Send>;

impl World {
    /// A world without anything in it.
    pub fn new(clock: Arc<dyn Clock>) -> Self {
        Self {
            nodes: BTreeMap::new(),
            files: BTreeMap::new(),
            wrongs: Wrongs::default(),
            clock,
            listed: None,
            minute: (None, 0),
            cursor_uses: 0,
            signatures: 0,
            next: 0x100,
            events: Vec::new(),
            limit: None,
            row_cap: 10_000,
            reference_cap: 25,
            page_cap: 100,
        }
    }

    /// Adds a page; gives its id.
    pub fn add_page(&mut self, place: &Place, title: &str) -> String {
        let id = self.new_id();
        self.add_page_as(&id, place, title)
    }

    /// Adds a page under that id.
    pub fn add_page_as(&mut self, id: &str, place: &Place, title: &str) -> String {
        self.add(id, Kind::Page, place, title);
        id.to_owned()
    }

    /// Adds a row with properties, which are values with their type: `{"Due": {"type": "date", "date": {…}}}`.
    pub fn add_row(&mut self, source: &str, title: &str, properties: Value) -> String {
        let id = self.add_page(&Place::Rows(source.to_owned()), title);
        self.set_properties(&id, properties);
        id
    }

    /// Adds a database with one data source; gives the ids of both.
    pub fn add_database(&mut self, place: &Place, title: &str, schema: Value) -> [String; 2] {
        let ids = [self.new_id(), self.new_id()];
        self.add_database_as([&ids[0], &ids[1]], place, title, schema);
        ids
    }

    /// Adds a database with one data source under those ids.
    pub fn add_database_as(&mut self, [database, source]: [&str; 2], place: &Place, title: &str, schema: Value) {
        self.add(database, Kind::Database, place, title);
        self.add(source, Kind::DataSource, &Place::Database(database.to_owned()), title);
        self.node(source).fields = object(schema);
    }

    /// Puts blocks into a page in place of those that are there, child pages and databases left alone. A block is
    /// `{"type": "paragraph", "paragraph": {…}, "children": […]}`, with an `id` where that matters.
    pub fn set_blocks(&mut self, page: &str, blocks: &[Value]) {
        let is_document = |id: &String| !matches!(self.nodes[id].kind, Kind::Block(_));
        let (kept, gone): (Vec<_>, Vec<_>) = self.nodes[page].inside.clone().into_iter().partition(is_document);
        gone.iter().for_each(|id| self.drop_blocks(id));
        self.node(page).inside = kept;
        self.add_blocks(&Place::Page(page.to_owned()), blocks);
        self.touch(page);
    }

    /// Adds a paragraph at the end of a page.
    pub fn append_text(&mut self, page: &str, text: &str) {
        let block = json!({"type": "paragraph", "paragraph": {"rich_text": rich(text)}});
        self.add_blocks(&Place::Page(page.to_owned()), &[block]);
        self.touch(page);
    }

    /// Gives a page one paragraph.
    pub fn set_text(&mut self, page: &str, text: &str) {
        self.set_blocks(page, &[json!({"type": "paragraph", "paragraph": {"rich_text": rich(text)}})]);
    }

    /// Gives a page another title.
    pub fn rename(&mut self, page: &str, title: &str) {
        title.clone_into(&mut self.node(page).title);
        self.touch(page);
    }

    /// Sets properties of a row.
    pub fn set_properties(&mut self, row: &str, properties: Value) {
        self.node(row).fields.extend(object(properties));
        self.touch(row);
    }

    /// Moves something into the trash.
    pub fn trash(&mut self, id: &str) {
        self.node(id).is_trashed = true;
        self.touch_above(id);
    }

    /// Sets a row aside: queries no longer list it.
    pub fn archive(&mut self, id: &str) {
        self.node(id).is_archived = true;
        self.listed = None;
    }

    /// Takes something from the integration, with all that is in it; or gives it back.
    pub fn hide(&mut self, id: &str, is_hidden: bool) {
        self.node(id).is_hidden = is_hidden;
        self.listed = None;
    }

    /// Removes something for good.
    pub fn remove(&mut self, id: &str) {
        self.touch_above(id);
        self.leave(id);
        self.nodes.remove(id);
    }

    /// Moves something to another place.
    pub fn move_to(&mut self, id: &str, place: &Place) {
        self.leave(id);
        self.node(id).place = place.clone();
        if let Some(above) = place.id().map(str::to_owned) {
            self.node(&above).inside.push(id.to_owned());
            self.touch(&above);
        }
        self.listed = None;
    }

    /// Keeps a file under a name that blocks and properties can speak of: `{"type": "file", "file": {"stand_in": name}}`.
    pub fn keep_file(&mut self, name: &str, content_type: &str, bytes: &[u8]) {
        self.files.insert(name.to_owned(), (content_type.to_owned(), bytes.to_vec()));
    }

    /// From now on requests meet this.
    pub fn meet(&mut self, fault: Fault) {
        self.wrongs.faults.push(fault);
    }

    /// The listing under an id (`search` for the search) comes back to its first page.
    pub fn loop_listing(&mut self, id: &str) {
        self.wrongs.loops.insert(id.to_owned());
    }

    /// The listing under an id claims to be empty.
    pub fn empty_listing(&mut self, id: &str) {
        self.wrongs.empty.insert(id.to_owned());
    }

    /// The search does not list something.
    pub fn unlist(&mut self, id: &str) {
        self.wrongs.unlisted.insert(id.to_owned());
        self.listed = None;
    }

    /// From now on the token is refused.
    pub fn refuse_token(&mut self) {
        self.wrongs.is_token_refused = true;
    }

    /// A cursor of the search dies after so many requests.
    pub fn let_cursors_die(&mut self, after: usize) {
        self.wrongs.cursor_life = Some(after);
        self.cursor_uses = 0;
    }

    /// Something happens after so many more requests, before the next one is answered.
    pub fn later(&mut self, requests: usize, event: impl FnOnce(&mut Self) + Send + 'static) {
        self.events.push((requests, Box::new(event)));
    }

    /// A request has come: what was to happen by then happens.
    pub(super) fn on_request(&mut self) {
        let (due, waiting) = std::mem::take(&mut self.events).into_iter().partition(|(requests, _)| *requests == 0);
        self.events = waiting;
        self.events.iter_mut().for_each(|(requests, _)| *requests -= 1);
        let due: Vec<(usize, Event)> = due;
        for (_, event) in due {
            event(self);
        }
    }

    /// Ends all that is wrong, and all that was to happen later.
    pub fn heal(&mut self) {
        self.events.clear();
        self.wrongs = Wrongs::default();
        self.listed = None;
    }

    /// When something was last edited, to the second.
    pub fn edited(&self, id: &str) -> Timestamp {
        self.nodes[id].edited
    }

    /// The ids of everything of a kind, in order.
    pub fn ids(&self, kind: &Kind) -> Vec<String> {
        self.nodes.iter().filter(|(_, node)| node.kind == *kind).map(|(id, _)| id.clone()).collect()
    }

    fn add(&mut self, id: &str, kind: Kind, place: &Place, title: &str) {
        let now = self.clock.now();
        let node = Node {
            kind,
            place: place.clone(),
            title: title.to_owned(),
            fields: Map::new(),
            inside: Vec::new(),
            created: now,
            edited: now,
            is_trashed: false,
            is_hidden: false,
            is_archived: false,
        };
        self.nodes.insert(id.to_owned(), node);
        if let Some(above) = place.id().map(str::to_owned) {
            self.node(&above).inside.push(id.to_owned());
            self.touch(&above);
        }
        self.listed = None;
    }

    /// Adds blocks below each other without calling itself: some are nested a thousand deep.
    fn add_blocks(&mut self, place: &Place, blocks: &[Value]) {
        let mut waiting = vec![(place.clone(), blocks.to_vec())];
        while let Some((place, blocks)) = waiting.pop() {
            for block in blocks {
                let mut fields = object(block);
                let inside = match fields.remove("children") {
                    Some(Value::Array(inside)) => inside,
                    _ => Vec::new(),
                };
                let own = fields.remove("id").and_then(|id| id.as_str().map(str::to_owned));
                let id = own.unwrap_or_else(|| self.new_id());
                let kind = fields.remove("type").and_then(|kind| kind.as_str().map(str::to_owned)).unwrap_or_default();
                self.add(&id, Kind::Block(kind), &place, "");
                self.node(&id).fields = fields;
                waiting.push((Place::Block(id), inside));
            }
        }
    }

    fn drop_blocks(&mut self, id: &str) {
        let mut waiting = vec![id.to_owned()];
        while let Some(id) = waiting.pop() {
            if let Some(node) = self.nodes.remove(&id) {
                waiting.extend(node.inside);
            }
        }
    }

    fn leave(&mut self, id: &str) {
        if let Some(above) = self.nodes[id].place.id().map(str::to_owned) {
            self.node(&above).inside.retain(|inside| inside != id);
        }
        self.listed = None;
    }

    /// What is edited carries the time; blocks pass it on to their page, rows and databases do not.
    fn touch(&mut self, id: &str) {
        let now = self.clock.now();
        let mut at = Some(id.to_owned());
        while let Some(id) = at {
            let node = self.node(&id);
            node.edited = now;
            let is_block = matches!(node.kind, Kind::Block(_));
            at = node.place.id().filter(|_| is_block).map(str::to_owned);
        }
        self.listed = None;
    }

    fn touch_above(&mut self, id: &str) {
        match self.nodes[id].place.clone() {
            Place::Page(above) | Place::Block(above) => self.touch(&above),
            _ => self.listed = None,
        }
    }

    pub(super) fn node(&mut self, id: &str) -> &mut Node {
        self.nodes.get_mut(id).unwrap_or_else(|| panic!("the world has no {id}"))
    }

    /// Whether the integration sees something: it is there, and nothing above it was taken from it.
    pub(super) fn sees(&self, id: &str) -> bool {
        let mut at = Some(id);
        for _ in 0..10_000 {
            let Some(id) = at else { return true };
            match self.nodes.get(id) {
                Some(node) if !node.is_hidden => at = node.place.id(),
                _ => return false,
            }
        }
        true
    }

    pub(super) fn new_id(&mut self) -> String {
        self.next += 1;
        format!("1a2b3c4d-0000-4000-8000-{:012x}", self.next)
    }
}

impl fmt::Debug for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("World").field("nodes", &self.nodes.len()).finish_non_exhaustive()
    }
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        other => panic!("an object was expected, not {other}"),
    }
}
