//! Which topics a run is given: a TOML file with a `[[topic]]` table for each.

use std::collections::BTreeSet;
use std::path::Path;

use headwater_domain::synthesis::topic::Topic;
use serde::Deserialize;

use super::document;
use crate::failure::UsageError;

/// Reads the topics of a file.
///
/// # Errors
/// With line and column where the file is no TOML of that shape; a name that is empty or stands twice.
pub(crate) fn read(path: &Path) -> Result<Vec<Topic>, UsageError> {
    let document: Document = document::toml(path, &document::read(path)?)?;
    let mut names = BTreeSet::new();
    for row in &document.topic {
        let name = row.name.trim();
        if name.is_empty() {
            return Err(UsageError(format!("{}: a topic has an empty name", path.display())));
        }
        if !names.insert(name) {
            return Err(UsageError(format!("{}: the topic {name:?} stands there twice", path.display())));
        }
    }
    Ok(document.topic.into_iter().map(Row::into_topic).collect())
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    #[serde(default, alias = "topics")]
    topic: Vec<Row>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    #[serde(default)]
    terms: Vec<String>,
    #[serde(default)]
    exclude: Vec<String>,
    quota: Option<usize>,
}

impl Row {
    fn into_topic(self) -> Topic {
        Topic { name: self.name.trim().to_owned(), terms: self.terms, exclude: self.exclude, quota: self.quota }
    }
}
