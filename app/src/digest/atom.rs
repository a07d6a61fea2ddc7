//! A digest as an Atom feed, so that a feed reader can subscribe to it.

use std::fmt::Write;
use std::io;

use headwater_domain::synthesis::digest::{Digest, DigestArticle};
use jiff::Timestamp;

use super::xml::escape;
use super::{flush, phrase};

/// Writes a digest as an Atom 1.0 document (RFC 4287).
///
/// The identifiers stay the same from run to run: of the feed for all runs, of an entry for its article, so that a
/// reader that sees an article twice shows it once.
pub(crate) fn write(digest: &Digest, out: &mut dyn io::Write) -> io::Result<()> {
    let mut feed = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n<id>urn:headwater:digest</id>\n\
         <title>Headwater digest</title>\n<subtitle>{}</subtitle>\n<updated>{}</updated>\n\
         <author><name>Headwater</name></author>\n<generator>Headwater</generator>\n",
        escape(&phrase::summary(digest)),
        digest.finished_at,
    );
    for article in &digest.articles {
        push_entry(&mut feed, article, &digest.topics, digest.finished_at);
        flush(&mut feed, out)?;
    }
    feed.push_str("</feed>\n");
    flush(&mut feed, out)
}

fn push_entry(feed: &mut String, kept: &DigestArticle, topics: &[String], finished_at: Timestamp) {
    let article = &kept.article;
    let url = escape(&article.url.redacted());
    let at = article.published_at.unwrap_or(finished_at);
    let _ = write!(
        feed,
        "<entry>\n<id>{url}</id>\n<title>{}</title>\n<link rel=\"alternate\" href=\"{url}\"/>\n<updated>{at}</updated>\n",
        escape(&article.title),
    );
    if let Some(at) = article.published_at {
        let _ = writeln!(feed, "<published>{at}</published>");
    }
    if let Some(topic) = kept.topic.and_then(|topic| topics.get(topic)) {
        let _ = writeln!(feed, "<category term=\"{}\"/>", escape(topic));
    }
    let excerpt = article.excerpt.as_deref().unwrap_or_default();
    let more = phrase::key_sentences(kept).unwrap_or_default();
    let text = format!("{excerpt} {more} Why: {}.", phrase::why(kept));
    let _ = write!(feed, "<summary>{}</summary>\n</entry>\n", escape(text.trim()));
}
