//! A digest as one HTML page that needs nothing else: readable on a phone, light and dark, without scripts.

use std::fmt::Write;
use std::io;

use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::digest::{Digest, DigestArticle, SourceOutcome};
use headwater_domain::synthesis::summary::{Overview, Writer};
use jiff::Timestamp;

use super::xml::escape;
use super::{Section, flush, phrase, sections};

/// Writes a digest as a page.
pub(crate) fn write(digest: &Digest, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = String::new();
    push_head(&mut page, digest);
    let sections = sections(digest);
    push_contents(&mut page, &sections);
    for (place, section) in sections.iter().enumerate() {
        let _ = write!(
            page,
            "<section aria-labelledby=\"topic-{place}\">\n<h2 id=\"topic-{place}\">{}</h2>\n",
            escape(section.heading)
        );
        if let Some(overview) = section.overview {
            push_overview(&mut page, overview, digest);
        }
        for article in &section.articles {
            push_article(&mut page, article);
            flush(&mut page, out)?;
        }
        page.push_str("</section>\n");
    }
    page.push_str("</main>\n");
    push_foot(&mut page, digest);
    flush(&mut page, out)
}

/// What the articles of a topic say together; each sentence links to those that say so.
fn push_overview(page: &mut String, overview: &Overview, digest: &Digest) {
    page.push_str("<ul class=\"overview\">\n");
    for sentence in &overview.summary.sentences {
        let _ = write!(page, "<li dir=\"auto\">{}", escape(&sentence.text));
        for cited in sentence.cites.iter().filter_map(|place| digest.articles.get(*place)) {
            let _ = write!(page, " <cite>{}</cite>", link(&phrase::host(&cited.article), &cited.article.url));
        }
        page.push_str("</li>\n");
    }
    page.push_str("</ul>\n");
    if overview.written_by == Writer::Model {
        page.push_str("<p class=\"from\">Written by a language model from the articles below.</p>\n");
    }
}

fn push_head(page: &mut String, digest: &Digest) {
    let title = format!("Digest of {}", phrase::day(digest.finished_at));
    let _ = write!(
        page,
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src '{STYLE_HASH}'; base-uri 'none'; form-action 'none'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <header>\n<h1>{title}</h1>\n<p>{} {}</p>\n",
        escape(&phrase::summary(digest)),
        time(digest.finished_at, &phrase::minute(digest.finished_at)),
    );
    if digest.interrupted {
        page.push_str("<p class=\"note\">The run was stopped before its end; the next one goes on from here.</p>\n");
    }
    if let Some(unmet) = phrase::unmet_topics(digest) {
        let _ = writeln!(page, "<p class=\"note\">{}</p>", escape(&unmet));
    }
    page.push_str("</header>\n<main>\n");
}

/// Links to the sections, where there are several.
fn push_contents(page: &mut String, sections: &[Section<'_>]) {
    if sections.len() < 2 {
        return;
    }
    page.push_str("<nav aria-label=\"Topics\"><ul>\n");
    for (place, section) in sections.iter().enumerate() {
        let (heading, articles) = (escape(section.heading), section.articles.len());
        let _ = writeln!(page, "<li><a href=\"#topic-{place}\">{heading}</a> {articles}</li>");
    }
    page.push_str("</ul></nav>\n");
}

fn push_article(page: &mut String, kept: &DigestArticle) {
    let article = &kept.article;
    let language = article.language.as_deref().filter(|tag| is_language_tag(tag));
    let language = language.map(|tag| format!(" lang=\"{tag}\"")).unwrap_or_default();
    let _ = write!(
        page,
        "<article>\n<h3{language} dir=\"auto\">{}</h3>\n<p class=\"from\">",
        link(&article.title, &article.url)
    );
    page.push_str(&escape(&phrase::origin(kept)));
    if let Some(at) = article.published_at {
        let _ = write!(page, " · {}", time(at, &phrase::day(at)));
    }
    page.push_str("</p>\n");
    if let Some(excerpt) = &article.excerpt {
        let _ = writeln!(page, "<p{language} dir=\"auto\">{}</p>", escape(excerpt));
    }
    if let Some(sentences) = phrase::key_sentences(kept) {
        let _ = writeln!(page, "<blockquote{language} dir=\"auto\">{}</blockquote>", escape(&sentences));
    }
    let _ = write!(
        page,
        "<details><summary>Why it is here</summary><p>{}</p></details>\n</article>\n",
        escape(&phrase::why(kept))
    );
}

fn push_foot(page: &mut String, digest: &Digest) {
    let failed = digest.failed_sources();
    let note = if failed > 0 { format!(", {failed} failed") } else { String::new() };
    let sources = phrase::count(digest.sources.len(), "source", "sources");
    let _ = write!(page, "<footer>\n<details><summary>{sources}{note}</summary>\n<ul>\n");
    for source in &digest.sources {
        let class = if source.outcome == SourceOutcome::Failed { " class=\"failed\"" } else { "" };
        let name = source.title.as_deref().unwrap_or(&source.url);
        let _ = writeln!(page, "<li{class}><b>{}</b> {}</li>", escape(name), escape(&phrase::source(source)));
    }
    page.push_str("</ul>\n</details>\n");
    if !digest.failures.is_empty() {
        let articles = phrase::count(digest.failures.len(), "article", "articles");
        let _ = write!(page, "<details><summary>{articles} could not be read</summary>\n<ul>\n");
        for article in &digest.failures {
            let url = article.url.redacted();
            let _ = writeln!(page, "<li>{} {}</li>", link(&url, &article.url), escape(&phrase::failed(article)));
        }
        page.push_str("</ul>\n</details>\n");
    }
    for line in phrase::model(digest) {
        let _ = writeln!(page, "<p>{}</p>", escape(&line));
    }
    let _ = write!(
        page,
        "<p>{}. Run {}.</p>\n</footer>\n</body>\n</html>\n",
        escape(&phrase::counts(digest)),
        escape(&digest.run_id)
    );
}

fn link(text: &str, url: &PrivateUrl) -> String {
    match url.expose().scheme() {
        "http" | "https" => {
            format!("<a href=\"{}\" rel=\"noopener noreferrer\">{}</a>", escape(&url.redacted()), escape(text))
        }
        _ => escape(text),
    }
}

fn time(at: Timestamp, text: &str) -> String {
    format!("<time datetime=\"{at}\">{}</time>", escape(text))
}

fn is_language_tag(tag: &str) -> bool {
    !tag.is_empty() && tag.len() <= 35 && tag.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-')
}

/// The whole style sheet; the page's policy names it by its hash.
const STYLE: &str = include_str!("html/style.css");

/// The SHA-256 of [`STYLE`], as the content security policy takes it.
const STYLE_HASH: &str = "sha256-frn3omoKLcHmMR7IAQrQrAsusWXXEgfMqHyDtKbBAEc=";

#[cfg(test)]
mod tests;
