//! A folder with a file for each digest.

use std::path::PathBuf;

use async_trait::async_trait;
use headwater_ports::{Delivery, DigestSink, Result};

use crate::draft;

/// Puts each digest into a file of its own, named by time and run, whole or not at all. A digest that comes again takes
/// the place of itself.
#[derive(Debug, Clone)]
pub struct DirectorySink {
    folder: PathBuf,
}

impl DirectorySink {
    /// The folder at that path; it is made where it is missing.
    pub fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// For example `2026-05-20-120100-0196e000-….html`: the names sort as the runs did.
    fn path(&self, delivery: &Delivery<'_>) -> PathBuf {
        let time = delivery.finished_at.strftime("%Y-%m-%d-%H%M%S");
        let run: String =
            delivery.run_id.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-').collect();
        self.folder.join(format!("{time}-{run}.{}", delivery.page.ending()))
    }
}

#[async_trait]
impl DigestSink for DirectorySink {
    async fn deliver<'a>(&self, delivery: &Delivery<'a>) -> Result<()> {
        draft::put(&self.path(delivery), delivery.page)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::file::tests::{Text, delivery};

    #[tokio::test]
    async fn each_digest_has_a_dated_file_and_one_that_comes_again_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let sink = DirectorySink::new(folder.path().join("digests"));
        let text = Text(Some("one"));
        sink.deliver(&delivery(&text)).await.unwrap();
        sink.deliver(&delivery(&text)).await.unwrap();
        sink.deliver(&Delivery { run_id: "../../other", ..delivery(&text) }).await.unwrap();
        let mut names: Vec<_> = std::fs::read_dir(folder.path().join("digests"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        assert_eq!(
            names,
            ["2026-05-20-120100-0196e000-0000-7000-8000-00000000000a.html", "2026-05-20-120100-other.html",]
        );
    }
}
