//! What runs of text, mentions and equations are in Markdown.

use serde_json::Value;

use super::escape::{Place, code_span, escaped, target};
use super::id::{normal_id, stable_link, whole_link};
use super::wire::{Annotations, RichText, text};

/// The runs as Markdown. Runs that look the same are joined first: the service cuts them at 2000 characters.
pub(super) fn markdown(runs: &[RichText], place: Place) -> String {
    let mut writer = Writer::default();
    let mut at = 0;
    while let Some(first) = runs.get(at) {
        let same = runs[at..].iter().take_while(|run| joins(first, run)).count().max(1);
        let content = content(&runs[at..at + same], place);
        let link = link_of(first);
        writer.push(&content, first.annotations, link.as_deref());
        at += same;
    }
    writer.finish()
}

/// The runs as they are, without marks: for titles, code and names.
pub(super) fn plain(runs: &[RichText]) -> String {
    runs.iter().map(|run| run.plain_text.as_str()).collect::<String>().replace(['\0', '\r'], "")
}

fn joins(first: &RichText, run: &RichText) -> bool {
    let is_text = |run: &RichText| !matches!(run.kind.as_str(), "mention" | "equation");
    is_text(first) && is_text(run) && first.annotations == run.annotations && link_of(first) == link_of(run)
}

fn content(runs: &[RichText], place: Place) -> String {
    let first = &runs[0];
    match first.kind.as_str() {
        "equation" => equation(first, place),
        "mention" => mention(first, place),
        _ if first.annotations.code => code_span(&plain(runs), place),
        _ => escaped(&plain(runs), place),
    }
}

fn equation(run: &RichText, place: Place) -> String {
    let expression = text(&run.equation, "expression").unwrap_or(&run.plain_text).replace(['\n', '\0'], " ");
    match place {
        Place::Line => format!("${}$", expression.trim()),
        Place::Cell => format!("${}$", expression.trim().replace('|', "\\|")),
    }
}

fn mention(run: &RichText, place: Place) -> String {
    let kind = text(&run.mention, "type").unwrap_or_default();
    let detail = run.mention.get(kind).unwrap_or(&Value::Null);
    let shown = match kind {
        "user" => {
            let name = text(detail, "name").unwrap_or_else(|| run.plain_text.trim_start_matches('@'));
            format!("@{name}")
        }
        "date" => dates(detail).unwrap_or_else(|| run.plain_text.clone()),
        "link_mention" => text(detail, "title").unwrap_or(&run.plain_text).to_owned(),
        "custom_emoji" => text(detail, "name").map_or_else(|| run.plain_text.clone(), |name| format!(":{name}:")),
        _ => run.plain_text.clone(),
    };
    if run.annotations.code { code_span(&shown, place) } else { escaped(&shown, place) }
}

/// Where a run leads to: a mention of a page to the page's lasting address, any other to what it says.
fn link_of(run: &RichText) -> Option<String> {
    if run.kind == "mention" {
        let kind = text(&run.mention, "type").unwrap_or_default();
        let detail = run.mention.get(kind).unwrap_or(&Value::Null);
        return match kind {
            "page" | "database" | "data_source" => text(detail, "id").map(|id| stable_link(&normal_id(id))),
            "link_preview" => text(detail, "url").map(whole_link),
            "link_mention" => text(detail, "href").map(whole_link),
            "user" | "date" | "template_mention" | "custom_emoji" => None,
            _ => run.href.as_deref().map(whole_link),
        };
    }
    let own = run.text.get("link").and_then(|link| text(link, "url"));
    run.href.as_deref().or(own).filter(|href| !href.is_empty()).map(whole_link)
}

/// A date or a span of two, with its time zone.
pub(super) fn dates(date: &Value) -> Option<String> {
    let start = text(date, "start")?;
    let mut shown = start.to_owned();
    if let Some(end) = text(date, "end") {
        shown = format!("{start} → {end}");
    }
    if let Some(zone) = text(date, "time_zone") {
        shown = format!("{shown} ({zone})");
    }
    Some(shown)
}

/// Writes runs with marks that open and close in order, and never beside a blank, where they would not count.
#[derive(Default)]
struct Writer {
    out: String,
    open: Vec<&'static str>,
    /// The link that is being written, and where its text began.
    link: Option<(String, usize)>,
}

impl Writer {
    fn push(&mut self, content: &str, annotations: Annotations, link: Option<&str>) {
        if content.is_empty() {
            return;
        }
        if self.link.as_ref().map(|(url, _)| url.as_str()) != link {
            self.close_link();
            if let Some(url) = link {
                self.close_marks(0);
                self.link = Some((url.to_owned(), self.out.len()));
                self.out.push('[');
            }
        }
        let wanted = marks(annotations);
        let kept = self.open.iter().zip(&wanted).take_while(|(open, wanted)| open == wanted).count();
        self.close_marks(kept);
        let blank = content.len() - content.trim_start().len();
        let (blanks, words) = content.split_at(blank);
        self.out.push_str(blanks);
        if words.is_empty() {
            return;
        }
        for mark in &wanted[kept..] {
            self.out.push_str(mark);
            self.open.push(mark);
        }
        self.out.push_str(words);
    }

    /// Closes marks, the innermost first, until so many are open. Blanks at the end move out of them.
    fn close_marks(&mut self, keep: usize) {
        if self.open.len() <= keep {
            return;
        }
        let end = self.out.trim_end_matches([' ', '\n', '\t']).len();
        let blanks = self.out.split_off(end);
        for mark in self.open.drain(keep..).rev() {
            self.out.push_str(if mark == "<u>" { "</u>" } else { mark });
        }
        self.out.push_str(&blanks);
    }

    fn close_link(&mut self) {
        self.close_marks(0);
        let Some((url, start)) = self.link.take() else { return };
        if self.out[start + 1..] == escaped(&url, Place::Line)
            && url.starts_with("http")
            && !url.contains(['<', '>', ' '])
        {
            self.out.truncate(start);
            self.out.push_str(&format!("<{url}>"));
        } else {
            self.out.push_str(&format!("]({})", target(&url)));
        }
    }

    fn finish(mut self) -> String {
        self.close_link();
        self.out
    }
}

fn marks(annotations: Annotations) -> Vec<&'static str> {
    let wanted = [
        (annotations.underline, "<u>"),
        (annotations.strikethrough, "~~"),
        (annotations.bold, "**"),
        (annotations.italic, "*"),
    ];
    wanted.into_iter().filter(|(on, _)| *on).map(|(_, mark)| mark).collect()
}
