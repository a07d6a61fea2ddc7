//! What the main part of a page still has that is not the article: link lists, promotions, lines at either end.

use dom_query::NodeRef;

use super::measure::{Measure, Measures};

/// Takes it away.
pub(super) fn polish(root: &NodeRef<'_>, _title: Option<&str>) {
    remove_link_lists(root);
}

fn remove_link_lists(root: &NodeRef<'_>) {
    let measures = Measures::of(root);
    let whole = measures.get(root);
    let lists: Vec<NodeRef<'_>> = root
        .descendants_it()
        .filter(|node| {
            let name = node.element_ref().map(|element| element.name.local.to_string()).unwrap_or_default();
            matches!(name.as_str(), "ul" | "ol" | "div" | "section" | "table")
                && is_link_list(measures.get(node), whole)
        })
        .collect();
    for node in lists {
        node.remove_from_parent();
    }
}

fn is_link_list(measure: Measure, whole: Measure) -> bool {
    measure.links >= 2 && measure.link_density() > 0.8 && measure.chars * 2 < whole.chars && measure.images == 0
}
