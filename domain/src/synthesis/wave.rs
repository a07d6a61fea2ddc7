//! In which order sources are read, and which of them together.

/// Puts preferred sources first, keeping the given order within each group, and cuts the list into waves.
///
/// A wave is read in parallel and merged in this order, so that a run over the same sources is repeatable. A `size` of
/// zero counts as one.
pub fn waves<T>(sources: Vec<T>, size: usize, is_preferred: impl Fn(&T) -> bool) -> Vec<Vec<T>> {
    let (mut ordered, rest): (Vec<T>, Vec<T>) = sources.into_iter().partition(is_preferred);
    ordered.extend(rest);
    let mut waves = Vec::new();
    let mut ordered = ordered.into_iter().peekable();
    while ordered.peek().is_some() {
        waves.push(ordered.by_ref().take(size.max(1)).collect());
    }
    waves
}

/// Takes one element of each list in turn, so that neighbours in the result come from different lists.
///
/// Articles are fetched in this order: their hosts then share the work, and no host gets all of it at once.
pub fn interleave<T>(lists: Vec<Vec<T>>) -> Vec<T> {
    let mut lists: Vec<_> = lists.into_iter().map(Vec::into_iter).collect();
    let mut mixed = Vec::new();
    while !lists.is_empty() {
        lists.retain_mut(|list| list.next().map(|element| mixed.push(element)).is_some());
    }
    mixed
}

#[cfg(test)]
mod tests;
