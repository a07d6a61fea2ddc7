//! The world behind the stand-in of Feishu: which spaces and folders there are, and what stands in them.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Value, json};

/// Everything that the server knows.
#[derive(Debug, Clone, Default)]
pub struct World {
    /// The only app that is let in.
    pub app_id: String,
    /// Its secret.
    pub app_secret: String,
    /// How many tokens were given out; only the last is good.
    pub tokens: usize,
    /// The spaces of which the app is a member.
    pub spaces: Vec<Space>,
    /// The nodes of all spaces, in the order of listings.
    pub nodes: Vec<Node>,
    /// The files and folders of the drive, in the order of listings.
    pub files: Vec<File>,
    /// Files and images inside of documents, by token.
    pub media: HashMap<String, Vec<u8>>,
    /// The cells of sheets, by `<spreadsheet>_<sheet>`.
    pub sheets: HashMap<String, Value>,
    /// The columns and rows of databases, by `<app>_<table>`.
    pub tables: HashMap<String, (Vec<Value>, Vec<Value>)>,
    /// So many looks at an export find it pending.
    pub pending_looks: usize,
    /// What exports of these documents end with instead of 0.
    pub job_statuses: HashMap<String, i64>,
    /// The exports so far: the token of the document, and the looks at its task.
    pub exports: Vec<(String, usize)>,
    /// What goes wrong, the first that fits first.
    pub faults: Vec<Fault>,
    /// The spaces whose listing claims to be empty.
    pub emptied: Vec<String>,
    /// The spaces whose listing gives its first page again and again.
    pub circling: Vec<String>,
    /// Rows a page, at most; 0: as many as are asked for.
    pub page_cap: usize,
    /// What time it is.
    pub now: Timestamp,
}

/// A space.
#[derive(Debug, Clone)]
pub struct Space {
    /// Its number.
    pub id: String,
    /// Its name.
    pub name: String,
}

/// A node of a space.
#[derive(Debug, Clone, Default)]
pub struct Node {
    /// Its token.
    pub token: String,
    /// The token of its content.
    pub obj_token: String,
    /// `docx`, `sheet`, `file`, …; empty: `docx`.
    pub obj_type: String,
    /// The number of its space.
    pub space: String,
    /// The token of the node above it; empty at the top.
    pub parent: String,
    /// Its title.
    pub title: String,
    /// When it was last edited, in seconds.
    pub edited: i64,
    /// Whether it is a shortcut to the document of its `obj_token`.
    pub is_shortcut: bool,
    /// Whether the app may not see it.
    pub is_hidden: bool,
    /// The blocks of its document; none: one paragraph of `text`.
    pub blocks: Vec<Value>,
    /// Its text, or the bytes of its file.
    pub text: String,
}

/// A file or folder of the drive.
#[derive(Debug, Clone, Default)]
pub struct File {
    /// Its token.
    pub token: String,
    /// Its name.
    pub name: String,
    /// `folder`, `docx`, `file`, ….
    pub kind: String,
    /// The token of the folder in which it is.
    pub folder: String,
    /// When it was last edited, in seconds.
    pub edited: i64,
    /// Its text, or its bytes.
    pub text: String,
}

/// An answer that goes wrong.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The requests whose method, target and body have this text in them.
    pub target: String,
    /// How many such requests fail.
    pub times: usize,
    /// With which status.
    pub status: u16,
    /// With which code; none: without a body.
    pub code: Option<i64>,
    /// With which further headers.
    pub headers: Vec<(&'static str, String)>,
}

impl World {
    /// The app `cli_standin` with the secret `secret-ok`, and nothing to see.
    pub fn new() -> Self {
        Self {
            app_id: "cli_standin".to_owned(),
            app_secret: "secret-ok".to_owned(),
            pending_looks: 1,
            now: Timestamp::from_second(1_767_225_600).expect("a second of the year 2026"),
            ..Self::default()
        }
    }

    /// Adds a space.
    pub fn add_space(&mut self, id: &str, name: &str) {
        self.spaces.push(Space { id: id.to_owned(), name: name.to_owned() });
    }

    /// Adds a document to a space, below a node where one is given.
    pub fn add_doc(&mut self, space: &str, parent: &str, token: &str, title: &str, text: &str) -> &mut Node {
        let edited = self.now.as_second();
        self.nodes.push(Node {
            token: token.to_owned(),
            obj_token: format!("doxcn{token}"),
            obj_type: "docx".to_owned(),
            space: space.to_owned(),
            parent: parent.to_owned(),
            title: title.to_owned(),
            edited,
            text: text.to_owned(),
            ..Node::default()
        });
        self.nodes.last_mut().expect("one was just added")
    }

    /// The node of that token.
    ///
    /// # Panics
    /// There is none.
    pub fn node(&mut self, token: &str) -> &mut Node {
        self.nodes.iter_mut().find(|node| node.token == token).expect("there is such a node")
    }

    /// Changes a node; its time moves on.
    ///
    /// # Panics
    /// There is none.
    pub fn edit(&mut self, token: &str, change: impl FnOnce(&mut Node)) {
        let now = self.now.as_second();
        let node = self.node(token);
        node.edited = now;
        change(node);
    }

    /// Deletes a node.
    pub fn delete(&mut self, token: &str) {
        self.nodes.retain(|node| node.token != token);
    }

    /// Lets requests whose method, target or body has that text in it fail, so many times.
    pub fn fail(&mut self, target: &str, status: u16, code: Option<i64>, times: usize) {
        self.faults.push(Fault { target: target.to_owned(), times, status, code, headers: Vec::new() });
    }

    /// The text of a document, by the token of its content.
    pub(super) fn text_of(&self, obj_token: &str) -> Option<&str> {
        let node = self.nodes.iter().find(|node| node.obj_token == obj_token && !node.is_shortcut);
        let file = || self.files.iter().find(|file| file.token == obj_token).map(|file| file.text.as_str());
        node.map(|node| node.text.as_str()).or_else(file)
    }

    /// The blocks of a document, by the token of its content.
    pub(super) fn blocks_of(&self, obj_token: &str) -> Option<Vec<Value>> {
        let node = self.nodes.iter().find(|node| node.obj_token == obj_token && !node.is_shortcut);
        if let Some(node) = node.filter(|node| !node.blocks.is_empty()) {
            return Some(node.blocks.clone());
        }
        let text = self.text_of(obj_token)?;
        let run = json!({"text_run": {"content": text, "text_element_style": {}}});
        Some(vec![
            json!({"block_id": obj_token, "block_type": 1, "parent_id": "", "children": ["b1"], "page": {"elements": []}}),
            json!({"block_id": "b1", "block_type": 2, "parent_id": obj_token, "text": {"style": {}, "elements": [run]}}),
        ])
    }
}
