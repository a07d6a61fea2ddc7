//! How the Markdown that Yuque exports becomes Markdown that reads anywhere.

/// Takes out what only Yuque's editor needs: anchors, and the measures behind the addresses of pictures. Its callouts become
/// quotations. Code stays as it is.
pub(super) fn plain_markdown(body: &str) -> String {
    let mut plain = String::with_capacity(body.len());
    let mut fence: Option<&str> = None;
    let mut in_callout = false;
    for line in body.lines() {
        let trimmed = line.trim_start();
        if fence.is_none() && trimmed.starts_with(":::") {
            in_callout = open_callout(&mut plain, trimmed.trim_start_matches(':').trim());
            continue;
        }
        if in_callout {
            plain.push_str(if line.is_empty() { ">" } else { "> " });
        }
        match (fence, fence_mark(trimmed)) {
            (None, Some(mark)) => fence = Some(mark),
            (Some(open), Some(mark)) if closes(open, mark, trimmed) => fence = None,
            _ => {}
        }
        if fence.is_some() || fence_mark(trimmed).is_some() {
            plain.push_str(line);
        } else {
            push_without_measures(&mut plain, &without_anchors(line));
        }
        plain.push('\n');
    }
    let text = plain.trim_matches('\n');
    if text.is_empty() { String::new() } else { format!("{text}\n") }
}

/// Begins a callout of that kind, or ends one where there is no kind; gives whether one is open.
fn open_callout(plain: &mut String, kind: &str) -> bool {
    if kind.is_empty() {
        plain.push('\n');
        return false;
    }
    plain.push_str("> **");
    plain.push_str(kind);
    plain.push_str("**\n>\n");
    true
}

/// The back-ticks or tildes that a line begins a fence with.
fn fence_mark(trimmed: &str) -> Option<&str> {
    let mark = trimmed.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let length = trimmed.len() - trimmed.trim_start_matches(mark).len();
    (length >= 3).then(|| &trimmed[..length])
}

fn closes(open: &str, mark: &str, trimmed: &str) -> bool {
    mark.starts_with(open) && trimmed[mark.len()..].trim().is_empty()
}

/// The line without `<a name="…"></a>`.
fn without_anchors(line: &str) -> String {
    let mut kept = String::with_capacity(line.len());
    let mut rest = line;
    while let Some((before, after)) = rest.split_once(ANCHOR) {
        let Some((name, behind)) = after.split_once(ANCHOR_END) else {
            break;
        };
        if name.contains(['<', '"']) {
            // Not an anchor of this form: it stays, and what follows is looked at.
            kept.push_str(before);
            kept.push_str(ANCHOR);
            rest = after;
            continue;
        }
        kept.push_str(before);
        rest = behind;
    }
    kept.push_str(rest);
    kept
}

/// Adds a line; addresses of pictures lose their fragment, which changes though the picture does not.
fn push_without_measures(plain: &mut String, line: &str) {
    let mut rest = line;
    while let Some(start) = rest.find("![") {
        let Some(target) = rest[start..].find("](").map(|at| start + at + 2) else {
            break;
        };
        let Some(end) = rest[target..].find(')').map(|at| target + at) else {
            break;
        };
        let cut = rest[target..end].find('#').map_or(end, |at| target + at);
        plain.push_str(&rest[..cut]);
        rest = &rest[end..];
    }
    plain.push_str(rest);
}

const ANCHOR: &str = "<a name=\"";
const ANCHOR_END: &str = "\"></a>";

#[cfg(test)]
mod tests;
