//! How elements become a feed: the channel, and its items in document order.
//!
//! Written once against [`Element`], so that any engine can stand behind it. Names are compared without case, since
//! publishers write them in any.

mod authors;
mod base64;
mod body;
mod channel;
mod extras;
mod finish;
mod format;
mod html;
mod item;
mod links;
mod media;
mod mime;
mod text;
mod urls;

use std::cell::{Cell, RefCell};

use headwater_domain::feed::{FeedDocument, FeedFormat, Warning, WarningCode};
use headwater_ports::Preset;
use url::Url;

use self::item::Draft;
use self::urls::Base;
use crate::names;
use crate::space::Space;
use crate::tree::{Child, Element};

/// What the mapping is told from outside.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setup<'s> {
    /// Where the document was fetched.
    pub(crate) retrieval: Option<&'s Url>,
    pub(crate) preset: Preset,
    pub(crate) max_items: usize,
}

/// What is known while a document is mapped, and what is noted.
struct Context<'s> {
    setup: Setup<'s>,
    format: FeedFormat,
    warnings: RefCell<Vec<Warning>>,
    /// The position of the item at hand, among all of the document.
    item: Cell<Option<usize>>,
    /// Something was understood that the format does not allow.
    repaired: Cell<bool>,
}

impl Context<'_> {
    fn warn(&self, code: WarningCode, detail: impl Into<String>) {
        let mut warnings = self.warnings.borrow_mut();
        if warnings.len() < MAX_WARNINGS {
            warnings.push(Warning { code, detail: detail.into(), item: self.item.get() });
        }
    }

    fn is_atom(&self) -> bool {
        matches!(self.format, FeedFormat::Atom10 | FeedFormat::Atom03)
    }

    /// Whether an element is Atom's: by its namespace, or by the document it stands in.
    fn is_atom_element<'a, E: Element<'a>>(&self, element: E) -> bool {
        element.space() == Space::Atom || (self.is_atom() && element.space() == Space::Core)
    }
}

/// Maps the root element and all below it.
pub(crate) fn map<'a, E: Element<'a>>(root: E, setup: Setup<'_>) -> FeedDocument {
    let context = Context {
        setup,
        format: format::of(root),
        warnings: RefCell::default(),
        item: Cell::new(None),
        repaired: Cell::new(false),
    };
    let retrieval = Base::retrieval(setup.retrieval);
    let root_base = retrieval.within(root);
    let channel = channel_of(root);
    let channel_base = root_base.within(channel);
    let mut document = FeedDocument::empty(context.format);
    channel::fill_in(&mut document, root, channel, &channel_base, &context);
    let link = document.link.clone();
    let item_base = channel_base.behind_link(link.as_ref(), &context);
    fill_items(&mut document, root, &item_base, &context);
    document.warnings = context.warnings.into_inner();
    document.repaired = context.repaired.get();
    document
}

/// The element that says what the feed is: `<channel>`, or the root.
fn channel_of<'a, E: Element<'a>>(root: E) -> E {
    root.elements().find(|element| element.name().eq_ignore_ascii_case("channel")).unwrap_or(root)
}

fn fill_items<'a, E: Element<'a>>(document: &mut FeedDocument, root: E, base: &Base<'_>, context: &Context<'_>) {
    let listed = items_of(root);
    let items = if listed.is_empty() { items_anywhere(root) } else { listed };
    for (position, element) in items.into_iter().enumerate() {
        context.item.set(Some(position));
        let item_base = base.within(element);
        let draft = Draft::read(element, &item_base, context);
        let Some(item) = finish::finish(draft, &item_base, context) else { continue };
        if document.items.len() >= context.setup.max_items {
            document.truncated = true;
            context.item.set(None);
            context.warn(WarningCode::Truncated, format!("items after the first {} left out", context.setup.max_items));
            return;
        }
        document.items.push(item);
    }
    context.item.set(None);
}

/// The items where they belong: in the root and in its channels.
fn items_of<'a, E: Element<'a>>(root: E) -> Vec<E> {
    if is_item(root) {
        return vec![root];
    }
    let mut items = Vec::new();
    for element in root.elements() {
        if is_item(element) {
            items.push(element);
        } else if names::is_container(element.name()) {
            items.extend(element.elements().filter(|child| is_item(*child)));
        } else if element.name().eq_ignore_ascii_case("items") {
            items.extend(element.elements().filter(|child| is_item(*child)));
        }
    }
    let nested = root.elements().filter(|child| child.name().eq_ignore_ascii_case("channel")).flat_map(E::elements);
    items.extend(
        nested.filter(|child| child.name().eq_ignore_ascii_case("items")).flat_map(E::elements).filter(|e| is_item(*e)),
    );
    items
}

/// The items of a root that is odd, wherever they stand.
fn items_anywhere<'a, E: Element<'a>>(root: E) -> Vec<E> {
    let mut items = Vec::new();
    let mut waiting = vec![root];
    while let Some(element) = waiting.pop() {
        if is_item(element) && says_something(element) {
            items.push(element);
            continue;
        }
        let from = waiting.len();
        waiting.extend(element.elements());
        waiting[from..].reverse();
    }
    items
}

fn is_item<'a, E: Element<'a>>(element: E) -> bool {
    let name = element.name();
    (name.eq_ignore_ascii_case("item") || name.eq_ignore_ascii_case("entry"))
        && matches!(element.space(), Space::Core | Space::Atom | Space::Other)
}

/// Whether an element has a child that items have.
fn says_something<'a, E: Element<'a>>(element: E) -> bool {
    element.elements().any(|child| {
        let name = child.name();
        ["title", "link", "guid", "description", "id", "pubdate"].iter().any(|known| name.eq_ignore_ascii_case(known))
    })
}

/// The text that stands directly in an element, and whether it has child elements.
fn direct_text<'a, E: Element<'a>>(element: E) -> (std::borrow::Cow<'a, str>, bool) {
    let mut text = std::borrow::Cow::Borrowed("");
    let mut parent = false;
    for child in element.children() {
        match child {
            Child::Element(_) => parent = true,
            Child::Text(piece) if text.is_empty() => text = piece,
            Child::Text(piece) => text.to_mut().push_str(&piece),
        }
    }
    (text, parent)
}

/// More warnings than this say nothing more.
const MAX_WARNINGS: usize = 200;
