//! How a listing is read page by page: smaller where it is slow, again where it expired, never in circles.

use headwater_domain::ErrorKind;
use headwater_domain::sync::PageGuard;
use headwater_ports::{Error, Result};
use serde::de::DeserializeOwned;

use super::answer::{Particular, is, refused};
use super::api::{Api, Ask};
use super::wire::Listing;

/// A listing under way.
///
/// Call [`next`](Self::next) until it gives nothing or an error; what came before an error is good.
pub(super) struct Pages {
    ask: Ask,
    size: u32,
    place: Place,
    guard: PageGuard,
    restarts: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Start,
    At(String),
    Loop(usize),
    End,
}

impl Pages {
    pub(super) fn new(ask: Ask) -> Self {
        Self::of_size(ask, PAGE_SIZE)
    }

    /// A listing in smaller pages.
    pub(super) fn of_size(ask: Ask, size: u32) -> Self {
        Self { ask, size, place: Place::Start, guard: PageGuard::default(), restarts: 0 }
    }

    /// The next page.
    ///
    /// # Errors
    /// `pagination_loop` where the listing came back to a page already read; what a request can end with.
    pub(super) async fn next<T: DeserializeOwned>(&mut self, api: &Api) -> Result<Option<Listing<T>>> {
        loop {
            let cursor = match &self.place {
                Place::Start => None,
                Place::At(cursor) => Some(cursor.as_str()),
                Place::Loop(pages) => return Err(going_in_circles(*pages)),
                Place::End => return Ok(None),
            };
            match api.list(&self.ask, self.size, cursor).await {
                Ok(listing) => {
                    self.on_page(&listing);
                    return Ok(Some(listing));
                }
                Err(error) if self.may_ask_for_less(&error) => self.size /= 2,
                Err(error) if self.may_restart(&error) => self.restart(),
                Err(error) => return Err(error),
            }
        }
    }

    /// Only `has_more` ends a listing: a cursor may be there at the end, and a page may be empty before it.
    fn on_page<T>(&mut self, listing: &Listing<T>) {
        self.place = match &listing.next_cursor {
            Some(cursor) if listing.has_more => match self.guard.on_next(cursor) {
                Ok(()) => Place::At(cursor.clone()),
                Err(circle) => Place::Loop(circle.pages),
            },
            None if listing.has_more => Place::Loop(1),
            _ => Place::End,
        };
    }

    fn may_ask_for_less(&self, error: &Error) -> bool {
        let slow = refused(error).is_some_and(|refused| refused.status == 504);
        self.size > 1 && (slow || is(error, Particular::UnreadableBlock))
    }

    /// A search may begin again: who reads it knows what it had. A document may not, since its text is being written.
    fn may_restart(&self, error: &Error) -> bool {
        let begun = self.place != Place::Start;
        begun && self.restarts < MAX_RESTARTS && matches!(self.ask, Ask::Search) && is(error, Particular::CursorExpired)
    }

    fn restart(&mut self) {
        self.restarts += 1;
        self.place = Place::Start;
        self.guard = PageGuard::default();
    }
}

fn going_in_circles(pages: usize) -> Error {
    let detail = format!("the listing came back to a page already read after {pages} pages");
    Error::new(ErrorKind::PaginationLoop, "read a listing", detail)
}

/// The most that the service gives.
const PAGE_SIZE: u32 = 100;

const MAX_RESTARTS: u32 = 3;
