//! Which picture an `<img>` shows, and whether it is one.

use url::Url;

use crate::address;
use crate::scan::Attributes;

/// What an image element comes to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Image {
    /// A picture at this address.
    Shown(Url),
    /// A counter of readers, or a blank one that stands in for layout.
    Tracker,
    /// No address that can be shown.
    Missing,
}

/// Reads the attributes of an image; pages that load pictures late keep the address elsewhere than in `src`.
pub(crate) fn image(attributes: &Attributes<'_>, base: Option<&Url>) -> Image {
    let (mut source, mut late, mut set) = (None, None, None);
    let mut dot = false;
    for attribute in attributes.iter() {
        match &*attribute.name {
            "src" => source = Some(attribute.value()),
            "srcset" => set = set.or_else(|| largest(&attribute.value())),
            "width" | "height" => dot |= matches!(attribute.raw.trim().trim_end_matches("px"), "0" | "1"),
            "style" => dot |= is_dot_style(attribute.raw),
            name if LATE_SOURCES.contains(&name) => late = late.or(Some(attribute.value().into_owned())),
            name if LATE_SETS.contains(&name) => set = largest(&attribute.value()).or(set),
            _ => {}
        }
    }
    let source = source.filter(|value| !is_placeholder(value)).map(|value| value.into_owned());
    let late = late.filter(|value| !is_placeholder(value));
    let Some(url) = [late, source, set].into_iter().flatten().find_map(|value| address::web(&value, base)) else {
        return Image::Missing;
    };
    if dot || is_counter(&url) { Image::Tracker } else { Image::Shown(url) }
}

/// The address with the highest density or width of a `srcset`.
pub(crate) fn largest(set: &str) -> Option<String> {
    let mut best: Option<(f32, &str)> = None;
    for candidate in candidates(set) {
        let mut words = candidate.split_ascii_whitespace();
        let Some(address) = words.next() else { continue };
        let size =
            words.next().and_then(|word| word.trim_end_matches(['w', 'x', 'W', 'X']).parse().ok()).unwrap_or(1.0);
        if best.is_none_or(|(largest, _)| size > largest) {
            best = Some((size, address));
        }
    }
    best.map(|(_, address)| address.to_owned())
}

/// A comma separates candidates only before white space or after a descriptor, since addresses contain commas too.
fn candidates(set: &str) -> impl Iterator<Item = &str> {
    let mut rest = set;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == ',');
        if rest.is_empty() {
            return None;
        }
        let described = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        let comma = rest[..described].ends_with(',').then(|| described - 1);
        let end = comma.or_else(|| rest[described..].find(',').map(|at| described + at)).unwrap_or(rest.len());
        let candidate = &rest[..end];
        rest = &rest[end..];
        Some(candidate)
    })
}

fn is_placeholder(value: &str) -> bool {
    let value = value.trim();
    value.is_empty()
        || value.get(..5).is_some_and(|scheme| scheme.eq_ignore_ascii_case("data:"))
        || matches!(value, "about:blank" | "#")
        || PLACEHOLDERS.iter().any(|name| value.ends_with(name))
}

fn is_dot_style(style: &str) -> bool {
    let compact: String = style.chars().filter(|c| !c.is_whitespace()).take(200).collect();
    compact
        .split(';')
        .any(|rule| matches!(rule, "width:1px" | "height:1px" | "width:0" | "height:0" | "width:0px" | "height:0px"))
}

fn is_counter(url: &Url) -> bool {
    let host = url.host_str().unwrap_or_default();
    let path = url.path();
    COUNTER_HOSTS.iter().any(|counter| host == *counter || host.ends_with(&format!(".{counter}")))
        || COUNTER_PATHS.iter().any(|counter| path.ends_with(counter))
        || (host.starts_with("feeds.") && (path.starts_with("/~r/") || path.starts_with("/~ff/")))
        || (host == "feeds.wordpress.com" && path.starts_with("/1.0/"))
}

const LATE_SOURCES: [&str; 16] = [
    "data-src",
    "data-original",
    "data-lazy-src",
    "data-lazy",
    "data-original-src",
    "data-orig-file",
    "data-actualsrc",
    "data-hi-res-src",
    "data-image-src",
    "data-img-src",
    "data-url",
    "data-cfsrc",
    "data-echo",
    "data-src-large",
    "data-full-src",
    "data-lazyload",
];
const LATE_SETS: [&str; 3] = ["data-srcset", "data-lazy-srcset", "data-original-set"];
const PLACEHOLDERS: [&str; 7] =
    ["spacer.gif", "blank.gif", "blank.png", "pixel.gif", "transparent.gif", "grey.gif", "placeholder.svg"];
const COUNTER_HOSTS: [&str; 14] = [
    "doubleclick.net",
    "google-analytics.com",
    "scorecardresearch.com",
    "quantserve.com",
    "pixel.wp.com",
    "stats.wordpress.com",
    "statcounter.com",
    "feedsportal.com",
    "vg04.met.vgwort.de",
    "vgwort.de",
    "ioam.de",
    "mailtrack.io",
    "list-manage.com",
    "blogger-counter.appspot.com",
];
const COUNTER_PATHS: [&str; 8] =
    ["/b.gif", "/open.gif", "/track.gif", "/pixel.gif", "/1x1.gif", "/count.gif", "/mf.gif", "/tracker.gif"];

#[cfg(test)]
mod tests;
