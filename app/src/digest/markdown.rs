//! A digest as Markdown, for notes and chats.

use std::fmt::Write;
use std::io;

use headwater_domain::secret::PrivateUrl;
use headwater_domain::synthesis::digest::{Digest, DigestArticle};
use headwater_domain::synthesis::summary::CitedSentence;

use super::phrase::{self, clean};
use super::{flush, sections};

/// Writes a digest as Markdown.
pub(crate) fn write(digest: &Digest, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = format!("# Digest of {}\n\n{}\n", phrase::minute(digest.finished_at), phrase::summary(digest));
    if digest.interrupted {
        page.push_str("\nThe run was stopped before its end; the next one goes on from here.\n");
    }
    for section in sections(digest) {
        let _ = write!(page, "\n## {}\n", escape(section.heading));
        if let Some(overview) = section.overview {
            page.push('\n');
            for sentence in &overview.summary.sentences {
                let _ = writeln!(page, "- {}{}", escape(&sentence.text), citations(sentence, digest));
            }
        }
        for article in section.articles {
            push_article(&mut page, article);
            flush(&mut page, out)?;
        }
    }
    push_rest(&mut page, digest);
    flush(&mut page, out)
}

/// Links to the articles that say so.
fn citations(sentence: &CitedSentence, digest: &Digest) -> String {
    let articles = sentence.cites.iter().filter_map(|place| digest.articles.get(*place));
    articles.map(|cited| format!(" ({})", link(&phrase::host(&cited.article), &cited.article.url))).collect()
}

fn push_article(page: &mut String, article: &DigestArticle) {
    let _ = write!(page, "\n### {}\n\n", link(&article.article.title, &article.article.url));
    let date = article.article.published_at.map(|at| format!(", {}", phrase::day(at))).unwrap_or_default();
    let _ = write!(page, "*{}{date}*\n\n", escape(&phrase::origin(article)));
    if let Some(excerpt) = &article.article.excerpt {
        let _ = write!(page, "{}\n\n", escape(excerpt));
    }
    if let Some(sentences) = phrase::key_sentences(article) {
        let _ = write!(page, "> {}\n\n", escape(&sentences));
    }
    let _ = writeln!(page, "Why: {}", escape(&phrase::why(article)));
}

fn push_rest(page: &mut String, digest: &Digest) {
    if let Some(unmet) = phrase::unmet_topics(digest) {
        let _ = write!(page, "\n{}\n", escape(&unmet));
    }
    page.push_str("\n## Sources\n\n");
    for source in &digest.sources {
        let name = source.title.as_deref().unwrap_or(&source.url);
        let _ = writeln!(page, "- {}: {}", escape(name), escape(&phrase::source(source)));
    }
    if !digest.failures.is_empty() {
        page.push_str("\n## Articles that could not be read\n\n");
        for article in &digest.failures {
            let _ = writeln!(page, "- <{}>: {}", article.url, escape(&phrase::failed(article)));
        }
    }
    let _ = write!(page, "\n{}.\n", phrase::counts(digest));
    for line in phrase::model(digest) {
        let _ = write!(page, "\n{}\n", escape(&line));
    }
}

fn link(text: &str, url: &PrivateUrl) -> String {
    format!("[{}](<{}>)", escape(text), url.redacted().replace('<', "%3C").replace('>', "%3E"))
}

/// Text of others on one line, with every mark of Markdown and HTML as a mere character.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for (place, letter) in clean(text).char_indices() {
        let opens_block = place == 0 && matches!(letter, '#' | '+' | '-' | '=' | '>');
        if opens_block || matches!(letter, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '&' | '|' | '~') {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}
