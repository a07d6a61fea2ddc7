//! How the blocks of a document are read, however deep and however many, one listing at a time.

use std::collections::{BTreeMap, HashSet};

use headwater_ports::{Error, Result};

use super::table::Shape;
use super::writer::{Level, Writer};
use super::{Around, Attachment, Inside, Piece, Text, first_number, linked, note, piece};
use crate::notion::answer::{Particular, is, is_absent};
use crate::notion::api::{Api, Ask};
use crate::notion::id::normal_id;
use crate::notion::index::Titles;
use crate::notion::paging::Pages;
use crate::notion::wire::Block;

/// What the blocks of a document say.
#[derive(Debug, Default)]
pub(in crate::notion) struct Body {
    /// The text.
    pub(in crate::notion) markdown: String,
    /// The documents that stand in it, in order.
    pub(in crate::notion) children: Vec<Child>,
    /// The files that it shows, in order.
    pub(in crate::notion) files: Vec<Attachment>,
    /// How many blocks could not be read, by type.
    pub(in crate::notion) unread: BTreeMap<String, u64>,
}

/// A document in a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::notion) struct Child {
    /// Its id.
    pub(in crate::notion) id: String,
    /// Its title.
    pub(in crate::notion) title: String,
    /// Whether it is a database, and no page.
    pub(in crate::notion) is_database: bool,
}

/// A document that is being read. What is in a block is read where the block stands, so that one listing a level is in
/// memory; levels are kept in a list, and no depth ends the program.
pub(in crate::notion) struct Walk<'a> {
    api: &'a Api,
    titles: &'a mut Titles,
    page: &'a str,
    body: Body,
    writer: Writer,
    levels: Vec<Open>,
    /// Whose blocks are being read, from the document down: a copy may hold what it stands in.
    path: HashSet<String>,
    blocks: usize,
}

/// A level that is being read.
struct Open {
    ids: Vec<String>,
    level: Level,
    pages: Pages,
    read: std::vec::IntoIter<Block>,
    heading: Option<&'static str>,
    number: u64,
    table: Option<(Shape, usize)>,
    is_transparent: bool,
    is_copy: bool,
}

impl<'a> Walk<'a> {
    pub(in crate::notion) fn new(api: &'a Api, titles: &'a mut Titles, page: &'a str) -> Self {
        let (levels, path) = (Vec::new(), HashSet::new());
        Self { api, titles, page, body: Body::default(), writer: Writer::default(), levels, path, blocks: 0 }
    }

    /// Reads it.
    ///
    /// # Errors
    /// What a request can end with; nothing is kept then.
    pub(in crate::notion) async fn run(mut self) -> Result<Body> {
        self.open(vec![self.page.to_owned()], Level::default(), Open::default());
        while let Some(open) = self.levels.last_mut() {
            if let Some(block) = open.read.next() {
                self.on_block(block).await?;
                continue;
            }
            match open.pages.next::<Block>(self.api).await {
                Ok(Some(listing)) => self.on_listing(listing.results),
                Ok(None) => self.close(),
                Err(error) => self.on_error(error)?,
            }
        }
        self.body.markdown = self.writer.finish();
        Ok(self.body)
    }

    async fn on_block(&mut self, block: Block) -> Result<()> {
        if block.in_trash {
            return Ok(());
        }
        self.blocks += 1;
        if self.blocks > MAX_BLOCKS || self.writer.len() > MAX_MARKDOWN_BYTES {
            self.cut();
            return Ok(());
        }
        if self.on_row(&block) {
            return Ok(());
        }
        let title = match linked(&block) {
            Some(id) => self.titles.title(self.api, &id).await?,
            None => None,
        };
        let open = self.levels.last_mut().expect("a block is read from an open level");
        open.number = match block.kind.as_str() {
            "numbered_list_item" => first_number(&block).unwrap_or(open.number.saturating_add(1)),
            _ => 0,
        };
        let around = Around { page: self.page, number: open.number, title: title.as_deref() };
        let mut piece = piece(&block, &around);
        self.writer.push(&mut open.level, &piece);
        if let Some(kind) = piece.unread.take() {
            *self.body.unread.entry(kind).or_default() += 1;
        }
        self.body.files.extend(piece.file.take());
        self.body.children.extend(piece.child.take());
        self.enter(&block, &piece);
        Ok(())
    }

    /// Goes into a block.
    fn enter(&mut self, block: &Block, piece: &Piece) {
        let own = normal_id(&block.id);
        let level = self.levels.last().expect("a block is read from an open level").level.inside(piece);
        let plain = Open { is_transparent: piece.is_transparent(), ..Open::default() };
        match &piece.inside {
            Inside::Parts(parts) => {
                for (heading, id) in parts.iter().rev() {
                    self.open(vec![id.clone()], level.clone(), Open { heading: Some(heading), ..Open::default() });
                }
            }
            Inside::Nothing => {}
            _ if !block.has_children => {}
            Inside::Own => self.open(vec![own], level, plain),
            Inside::Of(original) => self.open(vec![original.clone(), own], level, Open { is_copy: true, ..plain }),
            Inside::Rows(shape) => self.open(vec![own], level, Open { table: Some((*shape, 0)), ..plain }),
        }
    }

    /// Opens a level: what is listed under the first of these ids.
    fn open(&mut self, ids: Vec<String>, level: Level, open: Open) {
        if ids.iter().any(|id| self.path.contains(id)) {
            let mut level = level;
            self.say(&mut level, "this block holds itself and is not repeated");
            return;
        }
        self.path.extend(ids.iter().cloned());
        let pages = Pages::new(Ask::Children(ids[0].clone()));
        self.levels.push(Open { ids, level, pages, ..open });
    }

    fn on_listing(&mut self, blocks: Vec<Block>) {
        let open = self.levels.last_mut().expect("a listing is read for an open level");
        if let Some(heading) = open.heading.take_if(|_| !blocks.is_empty()) {
            let piece = Piece { text: Text::Exact(format!("#### {heading}")), ..Piece::default() };
            self.writer.push(&mut open.level, &piece);
        }
        open.read = blocks.into_iter();
    }

    fn on_row(&mut self, block: &Block) -> bool {
        let open = self.levels.last_mut().expect("a block is read from an open level");
        let Some((shape, row)) = open.table.filter(|_| block.kind == "table_row") else { return false };
        self.writer.push_row(&mut open.level, &shape.lines(block, row), row);
        open.table = Some((shape, row + 1));
        true
    }

    /// What can be said in place of a level that cannot be read. A document that cannot be read has no text at all.
    fn on_error(&mut self, error: Error) -> Result<()> {
        let is_document = self.levels.len() == 1;
        let open = self.levels.last_mut().expect("a listing is read for an open level");
        let mut level = open.level.clone();
        if is(&error, Particular::UnreadableBlock) {
            *self.body.unread.entry("unreadable".to_owned()).or_default() += 1;
            self.say(&mut level, "the blocks from here on cannot be read: Notion does not give out one of them");
        } else if is_absent(&error) && !is_document && open.is_copy {
            *self.body.unread.entry("synced_block".to_owned()).or_default() += 1;
            self.say(&mut level, "a synced block whose original is not shared");
        } else if !is_absent(&error) || is_document {
            return Err(error);
        }
        // What else is absent went away while the document was being read.
        self.levels.last_mut().expect("it is still open").level = level;
        self.close();
        Ok(())
    }

    fn close(&mut self) {
        let Some(closed) = self.levels.pop() else { return };
        for id in &closed.ids {
            self.path.remove(id);
        }
        if let Some(above) = self.levels.last_mut()
            && closed.is_transparent
        {
            above.level.absorb(&closed.level);
        }
    }

    /// Ends a document that has no end.
    fn cut(&mut self) {
        let mut level = Level::default();
        self.say(&mut level, "the document is longer than the limit and ends here");
        *self.body.unread.entry("over_limit".to_owned()).or_default() += 1;
        self.levels.clear();
    }

    fn say(&mut self, level: &mut Level, words: &str) {
        self.writer.push(level, &Piece { text: Text::Exact(note(words)), ..Piece::default() });
    }
}

impl Default for Open {
    fn default() -> Self {
        Self {
            ids: Vec::new(),
            level: Level::default(),
            pages: Pages::new(Ask::Search),
            read: Vec::new().into_iter(),
            heading: None,
            number: 0,
            table: None,
            is_transparent: false,
            is_copy: false,
        }
    }
}

/// Copies of copies can make a short document endless.
const MAX_BLOCKS: usize = 200_000;

const MAX_MARKDOWN_BYTES: usize = 50 * 1024 * 1024;
