//! When a page says it was published.

use dom_query::Document;
use headwater_domain::feed::date::parse_date;
use jiff::Timestamp;
use url::Url;

use super::metas::Metas;

/// The date of publication: structured data, else `<meta>`, else a `<time>` near the title, else the address.
pub(super) fn published(document: &Document, metas: &Metas, structured: Option<&str>, url: &Url) -> Option<Timestamp> {
    structured
        .and_then(plausible)
        .or_else(|| PUBLISHED.iter().find_map(|name| metas.value(name).and_then(plausible)))
        .or_else(|| marked(document))
        .or_else(|| UPDATED.iter().find_map(|name| metas.value(name).and_then(plausible)))
        .or_else(|| in_address(url))
}

/// A date that a page could bear: after the beginning of the web, and not one of the far future.
pub(crate) fn plausible(text: &str) -> Option<Timestamp> {
    let at = parse_date(text)?.at;
    let year = at.strftime("%Y").to_string().parse::<i32>().ok()?;
    (1990..2100).contains(&year).then_some(at)
}

/// A date in the elements that are made for one.
fn marked(document: &Document) -> Option<Timestamp> {
    let selectors = [
        "[itemprop=datePublished]",
        "time[pubdate], time.published, time.entry-date, .dt-published, abbr.published",
        "article time[datetime], main time[datetime], header time[datetime]",
        "time[datetime]",
        "[itemprop=dateCreated], .published, .entry-date, .post-date, .article-date, .pubdate, .publish-date, .date-published",
        "[class*=byline] [class*=date], [class*=article] [class*=date], [class*=post] [class*=date], [class*=meta] [class*=date]",
        "[class*=dateline], [class*=timestamp], [id*=pubdate], [id*=publish], .date, #date, .time, .datetime",
    ];
    selectors.iter().find_map(|selector| {
        document.select(selector).nodes().iter().take(MAX_ELEMENTS).find_map(|node| {
            let value = node.attr("datetime").or_else(|| node.attr("content")).or_else(|| node.attr("title"));
            value.and_then(|value| plausible(&value)).or_else(|| in_text(&node.text()))
        })
    })
}

/// A date in a short text, labels such as "Published:" before it left out.
fn in_text(text: &str) -> Option<Timestamp> {
    let text = headwater_domain::text::collapse_space(text);
    if text.len() > MAX_TEXT_BYTES {
        return None;
    }
    if let Some(date) = plausible(&text) {
        return Some(date);
    }
    let digit = text.find(|c: char| c.is_ascii_digit())?;
    let after_label =
        text[..digit].rfind([':', '|', '•', '·']).map(|at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    let from_label = after_label.and_then(|at| plausible(text[at..].trim()));
    from_label.or_else(|| plausible(&text[digit..])).or_else(|| first_part(&text[digit..]))
}

/// A date that other things follow.
fn first_part(text: &str) -> Option<Timestamp> {
    let end = text.find(['|', '•', '·', '(', ';', '—', '–']).or_else(|| text.find(" - "))?;
    plausible(text[..end].trim())
}

/// A date in the path: `/2024/05/02/`, `/2024-05-02/`, `/20240502/`.
fn in_address(url: &Url) -> Option<Timestamp> {
    let mut numbers = Vec::new();
    for part in url.path().split(['/', '-', '_', '.']) {
        let is_number = !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        numbers.push(is_number.then_some(part));
    }
    numbers
        .windows(3)
        .find_map(|window| match window {
            [Some(year), Some(month), Some(day)] if year.len() == 4 && month.len() <= 2 && day.len() <= 2 => {
                plausible(&format!("{year}-{month:0>2}-{day:0>2}"))
            }
            _ => None,
        })
        .or_else(|| {
            numbers
                .iter()
                .flatten()
                .filter(|number| number.len() == 8)
                .find_map(|number| plausible(&format!("{}-{}-{}", &number[..4], &number[4..6], &number[6..])))
        })
}

const PUBLISHED: [&str; 30] = [
    "article:published_time",
    "datepublished",
    "og:published_time",
    "og:article:published_time",
    "parsely-pub-date",
    "sailthru.date",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date.created",
    "dcterms.created",
    "dcterms.available",
    "dcterms.date",
    "dc.date",
    "pubdate",
    "publishdate",
    "publish-date",
    "publish_date",
    "published_date",
    "published-date",
    "publication_date",
    "publication-date",
    "article_date_original",
    "originalpublicationdate",
    "cxenseparse:recs:publishtime",
    "weibo:article:create_at",
    "rnews:datepublished",
    "citation_publication_date",
    "citation_online_date",
    "displaydate",
    "date",
];
const UPDATED: [&str; 5] =
    ["article:modified_time", "og:updated_time", "datemodified", "last-modified", "dcterms.modified"];
const MAX_ELEMENTS: usize = 20;
const MAX_TEXT_BYTES: usize = 160;

#[cfg(test)]
mod tests;
