//! The world behind the stand-in of Yuque: who owns which books, and what stands in them.

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

/// Everything that the server knows.
#[derive(Debug, Clone)]
pub struct World {
    /// The only token that is let in.
    pub token: String,
    /// The login of the token's owner.
    pub login: String,
    /// Whether the token is one of a team, which then owns the books of that login.
    pub team_token: bool,
    /// The teams of the owner; none: the listing answers 404, as Yuque does for people without teams.
    pub groups: Vec<Group>,
    /// All books.
    pub books: Vec<Book>,
    /// What goes wrong, the first that fits first.
    pub faults: Vec<Fault>,
    /// What listings of documents are cut to, though their total says otherwise.
    pub listing_cap: Option<usize>,
    /// The books whose listing claims to be empty.
    pub emptied: Vec<u64>,
    /// The books whose listing gives its first page again and again.
    pub circling: Vec<u64>,
    /// Whether a status is written as a text, as the vendor's description has it.
    pub status_as_text: bool,
    /// What time it is; each change takes a second.
    pub now: Timestamp,
}

/// A team.
#[derive(Debug, Clone)]
pub struct Group {
    /// Its number.
    pub id: u64,
    /// Its login.
    pub login: String,
}

/// A book.
#[derive(Debug, Clone)]
pub struct Book {
    /// Its number.
    pub id: u64,
    /// The login of the person or team that owns it.
    pub owner: String,
    /// Its part of a URL.
    pub slug: String,
    /// Its name.
    pub name: String,
    /// Its documents, in the order of listings.
    pub docs: Vec<Doc>,
}

/// A document.
#[derive(Debug, Clone)]
pub struct Doc {
    /// Its number.
    pub id: u64,
    /// `Doc`, `Sheet`, `Table`, `Board`, `Thread` or `HtmlDoc`.
    pub kind: String,
    /// Its part of a URL.
    pub slug: String,
    /// Its title.
    pub title: String,
    /// `markdown`, `lake`, `lakesheet`, ….
    pub format: String,
    /// Its Markdown.
    pub body: String,
    /// Its sheets, as the JSON text of the wire.
    pub body_sheet: Option<String>,
    /// The rows of a data table, each an array of values.
    pub records: Vec<Value>,
    /// The titles of the folders above it.
    pub folders: Vec<String>,
    /// Whether it is published.
    pub published: bool,
    /// Whether its detail answers 404 though it is listed, as behind a password.
    pub hidden: bool,
    /// When its content was last changed.
    pub content_updated_at: Timestamp,
    /// When anything of it was last changed.
    pub updated_at: Timestamp,
}

/// An answer that goes wrong.
#[derive(Debug, Clone)]
pub struct Fault {
    /// The requests whose target has this text in it.
    pub target: String,
    /// How many such requests go well before.
    pub after: usize,
    /// How many fail then.
    pub times: usize,
    /// With which status.
    pub status: u16,
    /// With which further headers.
    pub headers: Vec<(&'static str, String)>,
}

impl World {
    /// One person, `standin`, with the token `tok-ok` and no books.
    pub fn new() -> Self {
        Self {
            token: "tok-ok".to_owned(),
            login: "standin".to_owned(),
            team_token: false,
            groups: Vec::new(),
            books: Vec::new(),
            faults: Vec::new(),
            listing_cap: None,
            emptied: Vec::new(),
            circling: Vec::new(),
            status_as_text: false,
            now: "2026-03-02T08:00:00Z".parse().expect("a time"),
        }
    }

    /// A world with one book, number 2001, of so many documents, numbered from 1 on.
    pub fn with_docs(count: u64) -> Self {
        let mut world = Self::new();
        world.add_book(2001, "standin", "kb");
        (1..=count).for_each(|id| world.add_doc(2001, id, &format!("Document {id}"), &format!("Text of {id}.\n")));
        world
    }

    /// Adds an empty book.
    pub fn add_book(&mut self, id: u64, owner: &str, slug: &str) {
        let (owner, slug) = (owner.to_owned(), slug.to_owned());
        self.books.push(Book { id, owner, name: format!("Book {slug}"), slug, docs: Vec::new() });
    }

    /// Adds a published document at the end of a book.
    ///
    /// # Panics
    /// There is no such book.
    pub fn add_doc(&mut self, book: u64, id: u64, title: &str, body: &str) {
        let now = self.tick();
        self.book(book).docs.push(Doc {
            id,
            kind: "Doc".to_owned(),
            slug: format!("s{id}"),
            title: title.to_owned(),
            format: "markdown".to_owned(),
            body: body.to_owned(),
            body_sheet: None,
            records: Vec::new(),
            folders: Vec::new(),
            published: true,
            hidden: false,
            content_updated_at: now,
            updated_at: now,
        });
    }

    /// Changes a document; its times move on.
    ///
    /// # Panics
    /// There is no such document.
    pub fn edit(&mut self, id: u64, change: impl FnOnce(&mut Doc)) {
        let now = self.tick();
        let doc = self.doc(id);
        doc.content_updated_at = now;
        doc.updated_at = now;
        change(doc);
    }

    /// Puts a document into the recycle bin.
    pub fn delete(&mut self, id: u64) {
        self.books.iter_mut().for_each(|book| book.docs.retain(|doc| doc.id != id));
    }

    /// Moves a document to the end of another book; its times stay.
    ///
    /// # Panics
    /// There is no such document or book.
    pub fn move_doc(&mut self, id: u64, book: u64) {
        let doc = self.doc(id).clone();
        self.delete(id);
        self.book(book).docs.push(doc);
    }

    /// The document of that number.
    ///
    /// # Panics
    /// There is none.
    pub fn doc(&mut self, id: u64) -> &mut Doc {
        let docs = self.books.iter_mut().flat_map(|book| &mut book.docs);
        docs.into_iter().find(|doc| doc.id == id).expect("there is such a document")
    }

    /// The book of that number.
    ///
    /// # Panics
    /// There is none.
    pub fn book(&mut self, id: u64) -> &mut Book {
        self.books.iter_mut().find(|book| book.id == id).expect("there is such a book")
    }

    /// Lets requests whose target has that text in it fail, so many times.
    pub fn fail(&mut self, target: &str, status: u16, times: usize) {
        self.faults.push(Fault { target: target.to_owned(), after: 0, times, status, headers: Vec::new() });
    }

    fn tick(&mut self) -> Timestamp {
        self.now += SignedDuration::from_secs(1);
        self.now
    }
}

impl Default for World {
    fn default() -> Self {
        Self::new()
    }
}
