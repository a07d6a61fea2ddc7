//! A file that always holds the latest digest.

use std::path::PathBuf;

use async_trait::async_trait;
use headwater_ports::{Delivery, DigestSink, Result};

use crate::draft;

/// Replaces one file with each digest, whole or not at all.
#[derive(Debug, Clone)]
pub struct FileSink {
    path: PathBuf,
}

impl FileSink {
    /// The file at that path; its folder is made where it is missing.
    pub fn new(path: PathBuf) -> Self {
        Self { path }
    }
}

#[async_trait]
impl DigestSink for FileSink {
    async fn deliver<'a>(&self, delivery: &Delivery<'a>) -> Result<()> {
        draft::put(&self.path, delivery.page)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io;
    use std::path::Path;

    use headwater_ports::Page;

    use super::*;

    /// A page of a text, or one that cannot be written.
    pub(crate) struct Text(pub(crate) Option<&'static str>);

    impl Page for Text {
        fn content_type(&self) -> &'static str {
            "text/html; charset=utf-8"
        }

        fn ending(&self) -> &'static str {
            "html"
        }

        fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
            out.write_all(b"<p>")?;
            self.0.map_or_else(|| Err(io::Error::other("broken")), |text| out.write_all(text.as_bytes()))
        }
    }

    pub(crate) fn delivery<'a>(page: &'a Text) -> Delivery<'a> {
        Delivery {
            run_id: "0196e000-0000-7000-8000-00000000000a",
            idempotency_key: "key",
            finished_at: "2026-05-20T12:01:00Z".parse().unwrap(),
            subject: "2 new articles",
            page,
            plain: page,
        }
    }

    fn names(folder: &Path) -> usize {
        std::fs::read_dir(folder).unwrap().count()
    }

    #[tokio::test]
    async fn the_file_holds_the_latest_digest_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/digest.html");
        let sink = FileSink::new(path.clone());
        sink.deliver(&delivery(&Text(Some("one")))).await.unwrap();
        sink.deliver(&delivery(&Text(Some("two")))).await.unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "<p>two");
        let error = sink.deliver(&delivery(&Text(None))).await.unwrap_err();
        assert!(error.to_string().contains("digest.html"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "<p>two", "a failure leaves what was there");
        assert_eq!(names(path.parent().unwrap()), 1, "and no draft");
    }

    #[tokio::test]
    async fn a_place_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let sink = FileSink::new(folder.path().join("file/digest.html"));
        let error = sink.deliver(&delivery(&Text(Some("one")))).await.unwrap_err();
        assert!(error.to_string().contains("file/digest.html"), "{error}");
    }
}
