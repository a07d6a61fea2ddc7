//! Which topic each article belongs to.

use async_trait::async_trait;
use headwater_domain::ErrorKind;
use headwater_domain::synthesis::article::Article;
use headwater_domain::synthesis::classify::Scorer;
use headwater_domain::synthesis::topic::{Topic, Verdict};
use headwater_ports::{Classifier, Error, Result};

use super::cpu::Cpu;

/// Judges articles by the words of the topics, without a network.
#[derive(Debug, Clone)]
pub(crate) struct OfflineClassifier {
    min_score: f64,
    cpu: Cpu,
}

impl OfflineClassifier {
    /// Topics claim only articles of at least this score.
    pub(crate) fn new(min_score: f64) -> Self {
        Self { min_score, cpu: Cpu::new() }
    }
}

#[async_trait]
impl Classifier for OfflineClassifier {
    async fn classify(&self, articles: &[Article], topics: &[Topic]) -> Result<Vec<Verdict>> {
        let scorer = Scorer::new(topics, self.min_score);
        let articles = articles.to_vec();
        self.cpu.run(move || Ok(articles.iter().map(|article| scorer.judge(article)).collect())).await
    }
}

/// One verdict an article. Without topics there is nothing to judge: everything new is wanted.
pub(crate) async fn judge(classifier: &dyn Classifier, articles: &[Article], topics: &[Topic]) -> Result<Vec<Verdict>> {
    if topics.is_empty() {
        let wanted =
            || Verdict { topic: None, score: 1.0, reason: "no topics are set, so everything new is kept".to_owned() };
        return Ok(articles.iter().map(|_| wanted()).collect());
    }
    if articles.is_empty() {
        return Ok(Vec::new());
    }
    let verdicts = classifier.classify(articles, topics).await?;
    if verdicts.len() != articles.len() {
        let detail = format!("{} verdicts came for {} articles", verdicts.len(), articles.len());
        return Err(Error::new(ErrorKind::Internal, "classify articles", detail));
    }
    Ok(verdicts)
}
