//! What an element's name means for the elements around it.

/// The part an element plays in the structure of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Runs within a line.
    Inline,
    /// A link: no other link stands in it.
    Anchor,
    /// A paragraph: any block ends it.
    Paragraph,
    /// A heading.
    Heading,
    /// A list.
    List,
    /// An item of a list.
    Item,
    /// A term or a description of a `<dl>`.
    Term,
    /// A table, which nothing inside it can close from a cell.
    Table,
    /// A head, body or foot of a table, a caption or a group of columns.
    Section,
    /// A row of a table.
    Row,
    /// A cell of a table.
    Cell,
    /// Any other block.
    Block,
    /// The document's own elements and those without a rule.
    Other,
}

impl Kind {
    /// The kind of an element by its name in lower case.
    pub(crate) fn of(name: &str) -> Self {
        match name {
            "a" => Self::Anchor,
            "p" => Self::Paragraph,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => Self::Heading,
            "ul" | "ol" | "dl" | "menu" | "dir" => Self::List,
            "li" => Self::Item,
            "dt" | "dd" => Self::Term,
            "table" => Self::Table,
            "thead" | "tbody" | "tfoot" | "caption" | "colgroup" => Self::Section,
            "tr" => Self::Row,
            "td" | "th" => Self::Cell,
            "address" | "article" | "aside" | "blockquote" | "center" | "details" | "dialog" | "div" | "fieldset"
            | "figcaption" | "figure" | "footer" | "form" | "header" | "hgroup" | "hr" | "main" | "nav" | "pre"
            | "search" | "section" | "summary" | "listing" => Self::Block,
            "html" | "head" | "body" | "template" | "title" | "textarea" | "select" | "optgroup" | "option" | "col"
            | "button" | "object" | "applet" | "marquee" => Self::Other,
            _ => Self::Inline,
        }
    }

    /// Whether this is a table or a part of one.
    pub(super) fn is_of_table(self) -> bool {
        matches!(self, Self::Table | Self::Section | Self::Row | Self::Cell)
    }

    /// Whether an anchor stays open though another one starts inside this.
    pub(super) fn holds_anchor(self) -> bool {
        matches!(self, Self::Cell | Self::Table | Self::Other)
    }

    /// Whether an item stays open though another one starts inside this.
    pub(super) fn holds_item(self) -> bool {
        matches!(self, Self::List | Self::Table | Self::Cell | Self::Other)
    }

    /// Whether an end tag of `kind` inside this element closes nothing outside it.
    pub(super) fn bounds(self, kind: Self) -> bool {
        match self {
            Self::Table => !matches!(kind, Self::Other),
            Self::Cell => !matches!(kind, Self::Table | Self::Section | Self::Row | Self::Other),
            Self::Section => matches!(kind, Self::Item | Self::Term),
            Self::List => matches!(kind, Self::Item | Self::Term),
            _ => false,
        }
    }
}
