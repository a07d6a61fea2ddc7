//! A digest for a terminal.

use std::fmt::Write;
use std::io;

use headwater_domain::synthesis::digest::{Digest, DigestArticle, SourceOutcome};

use super::phrase::{self, clean};
use super::{flush, sections};

/// Writes a digest as plain text.
pub(crate) fn write(digest: &Digest, out: &mut dyn io::Write) -> io::Result<()> {
    let mut page = format!("Headwater digest, {}\n{}\n", phrase::minute(digest.finished_at), phrase::summary(digest));
    if digest.interrupted {
        page.push_str("The run was stopped before its end; the next one goes on from here.\n");
    }
    for section in sections(digest) {
        let heading = clean(section.heading);
        let _ = write!(page, "\n{heading}\n{}\n", "=".repeat(heading.chars().count()));
        if let Some(overview) = section.overview {
            page.push('\n');
            for sentence in &overview.summary.sentences {
                push_wrapped(&mut page, &clean(&format!("{} {}", sentence.text, phrase::citation(sentence, digest))));
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

fn push_article(page: &mut String, article: &DigestArticle) {
    let _ = write!(page, "\n* {}\n", clean(&article.article.title));
    let date = article.article.published_at.map(|at| format!(", {}", phrase::day(at))).unwrap_or_default();
    let _ = writeln!(page, "  {}{date}", clean(&phrase::origin(article)));
    if let Some(excerpt) = &article.article.excerpt {
        push_wrapped(page, &clean(excerpt));
    }
    if let Some(sentences) = phrase::key_sentences(article) {
        push_wrapped(page, &clean(&sentences));
    }
    let _ = writeln!(page, "  {}", article.article.url);
    push_wrapped(page, &clean(&format!("Why: {}", phrase::why(article))));
}

fn push_rest(page: &mut String, digest: &Digest) {
    let failed: Vec<_> = digest.sources.iter().filter(|source| source.outcome == SourceOutcome::Failed).collect();
    if let Some(unmet) = phrase::unmet_topics(digest) {
        let _ = write!(page, "\n{}\n", clean(&unmet));
    }
    if !failed.is_empty() {
        page.push_str("\nSources that failed\n");
        for source in failed {
            let _ = writeln!(page, "- {}: {}", clean(&source.url), clean(&phrase::source(source)));
        }
    }
    if !digest.failures.is_empty() {
        page.push_str("\nArticles that could not be read\n");
        for article in &digest.failures {
            let _ = writeln!(page, "- {}: {}", article.url, clean(&phrase::failed(article)));
        }
    }
    let _ = write!(page, "\n{}.\n", phrase::counts(digest));
    for line in phrase::model(digest) {
        let _ = writeln!(page, "{}", clean(&line));
    }
}

/// Adds a paragraph, indented and wrapped at word borders.
fn push_wrapped(page: &mut String, text: &str) {
    let mut width = 0;
    for word in text.split(' ') {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > LINE_CHARS {
            page.push('\n');
            width = 0;
        }
        page.push_str(if width == 0 { "  " } else { " " });
        page.push_str(word);
        width += length + usize::from(width > 0);
    }
    page.push('\n');
}

/// Characters of a wrapped line, without the indent.
const LINE_CHARS: usize = 96;
