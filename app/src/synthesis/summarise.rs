//! What the articles of a digest say, in sentences of their own.

use std::collections::BTreeMap;

use async_trait::async_trait;
use headwater_domain::synthesis::article::Article;
use headwater_domain::synthesis::digest::{Digest, DigestArticle};
use headwater_domain::synthesis::summary::{CitedSentence, Overview, Summary, Writer, key_sentences, overview};
use headwater_ports::{Result, Summaries, Summariser};
use tracing::warn;

/// Sums up by choosing sentences, without a network.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ExtractiveSummariser {
    article_sentences: usize,
    overview_sentences: usize,
}

impl ExtractiveSummariser {
    /// So many sentences for an article, and for a topic, at most.
    pub(crate) fn new(article_sentences: usize, overview_sentences: usize) -> Self {
        Self { article_sentences, overview_sentences }
    }

    fn article(self, place: usize, article: &Article) -> Summary {
        if self.article_sentences == 0 {
            return Summary::default();
        }
        let sentences = key_sentences(article, self.article_sentences);
        let cited = |text| CitedSentence { text, cites: vec![place] };
        Summary { sentences: sentences.into_iter().map(cited).collect() }
    }
}

#[async_trait]
impl Summariser for ExtractiveSummariser {
    async fn summarise(&self, articles: &[DigestArticle], _topics: &[String]) -> Result<Summaries> {
        let mut summaries = Summaries::default();
        let mut by_topic: BTreeMap<usize, Vec<(usize, &Article)>> = BTreeMap::new();
        for (place, kept) in articles.iter().enumerate() {
            summaries.articles.push(self.article(place, &kept.article));
            by_topic.entry(kept.topic.unwrap_or(usize::MAX)).or_default().push((place, &kept.article));
            // An article costs a fraction of a millisecond: the thread is lent to others in between.
            tokio::task::yield_now().await;
        }
        for (topic, articles) in by_topic.into_iter().filter(|(_, articles)| articles.len() > 1) {
            let topic = (topic != usize::MAX).then_some(topic);
            let summary = overview(&articles, self.overview_sentences);
            if !summary.sentences.is_empty() {
                summaries.overviews.push(Overview { topic, written_by: Writer::Extract, summary });
            }
        }
        Ok(summaries)
    }
}

/// Puts the summaries into a digest. Without them it is a digest all the same.
pub(crate) async fn summarise(summariser: &dyn Summariser, digest: &mut Digest) {
    match summariser.summarise(&digest.articles, &digest.topics).await {
        Ok(summaries) => {
            for (kept, summary) in digest.articles.iter_mut().zip(summaries.articles) {
                kept.summary = summary;
            }
            digest.overviews = summaries.overviews;
        }
        Err(error) => warn!(%error, "the digest has no summaries"),
    }
}
