//! Which books there are, level by level.

use headwater_domain::ErrorKind;
use headwater_domain::sync::Resource;
use headwater_ports::{Error, Result};

use super::api::{Api, Found, PAGE, missing};
use super::config::{OPERATION, Shelf, ShelfKind};
use super::wire::{Book, Owner};

/// The topmost level: a person's own books and teams, or the books of the team whose token it is.
pub(super) async fn topmost(api: &Api) -> Result<Vec<Resource>> {
    let owner = api.owner().await?;
    if owner.kind == "Group" {
        return below_shelf(api, &Shelf { kind: ShelfKind::Group, login: owner.login }, Above::Nothing).await;
    }
    let groups = groups(api, owner.id).await?;
    let mut resources: Vec<_> = groups.iter().map(group_resource).collect();
    let own = Shelf { kind: ShelfKind::User, login: owner.login };
    resources.extend(below_shelf(api, &own, Above::Nothing).await?);
    Ok(resources)
}

/// The books of a team or a user. Books have nothing below them that could be selected.
pub(super) async fn below(api: &Api, parent: &str) -> Result<Vec<Resource>> {
    match Shelf::parse(parent) {
        Some(shelf) => below_shelf(api, &shelf, Above::Shelf).await,
        None => Ok(Vec::new()),
    }
}

/// The teams above the given books.
pub(super) async fn ancestors(api: &Api, ids: &[String]) -> Result<Vec<String>> {
    let mut above: Vec<String> = Vec::new();
    for id in ids.iter().filter(|id| Shelf::parse(id).is_none()) {
        let Found::Here(book) = api.book(id).await? else {
            return Err(missing(&format!("book {id}")));
        };
        let group = book.user.filter(|user| user.kind == "Group");
        if let Some(id) = group.map(|group| Shelf { kind: ShelfKind::Group, login: group.login }.id())
            && !above.contains(&id)
        {
            above.push(id);
        }
    }
    Ok(above)
}

/// All books of a team or a user, each once.
pub(super) async fn of_shelf(api: &Api, shelf: &Shelf) -> Result<Vec<Book>> {
    let mut books: Vec<Book> = Vec::new();
    for page in 0..MAX_PAGES {
        let rows = api.books(shelf, page * PAGE).await?;
        let full = rows.len() >= PAGE;
        let before = books.len();
        for book in rows {
            if books.iter().all(|known| known.id != book.id) {
                books.push(book);
            }
        }
        if !full {
            return Ok(books);
        }
        if books.len() == before {
            return Err(in_circles());
        }
    }
    Err(in_circles())
}

enum Above {
    Nothing,
    Shelf,
}

async fn below_shelf(api: &Api, shelf: &Shelf, above: Above) -> Result<Vec<Resource>> {
    let parent = match above {
        Above::Nothing => None,
        Above::Shelf => Some(shelf.id()),
    };
    let books = of_shelf(api, shelf).await?;
    Ok(books.into_iter().map(|book| book_resource(api, book, parent.clone())).collect())
}

async fn groups(api: &Api, user: u64) -> Result<Vec<Owner>> {
    let mut groups: Vec<Owner> = Vec::new();
    for page in 0..MAX_PAGES {
        let rows = match api.groups(user, page * PAGE).await {
            Ok(rows) => rows,
            // A token without the scope for teams still reads its owner's books.
            Err(error) if error.kind == ErrorKind::Auth => return Ok(groups),
            Err(error) => return Err(error),
        };
        let full = rows.len() >= PAGE;
        let before = groups.len();
        for group in rows {
            if groups.iter().all(|known| known.id != group.id) {
                groups.push(group);
            }
        }
        if !full || groups.len() == before {
            return Ok(groups);
        }
    }
    Ok(groups)
}

fn group_resource(group: &Owner) -> Resource {
    let shelf = Shelf { kind: ShelfKind::Group, login: group.login.clone() };
    Resource {
        external_id: shelf.id(),
        name: group.name.clone().unwrap_or_else(|| group.login.clone()),
        resource_type: "group".to_owned(),
        description: group.description.clone().filter(|text| !text.is_empty()),
        has_children: true,
        ..Resource::default()
    }
}

fn book_resource(api: &Api, book: Book, parent_id: Option<String>) -> Resource {
    Resource {
        external_id: book.id.to_string(),
        url: (!book.namespace.is_empty()).then(|| api.page_url(&book.namespace, "")),
        name: book.name,
        resource_type: book.kind.to_lowercase(),
        description: book.description.filter(|text| !text.is_empty()).or(Some(book.namespace)),
        parent_id,
        has_children: false,
        modified_at: book.content_updated_at,
    }
}

fn in_circles() -> Error {
    Error::new(ErrorKind::PaginationLoop, OPERATION, "the list of books comes back to books already read")
}

/// Pages of books or teams of one owner.
const MAX_PAGES: usize = 100;
