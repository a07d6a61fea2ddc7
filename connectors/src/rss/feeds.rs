//! Which feeds a configuration names, and with which headers they are asked.

use std::collections::HashSet;

use headwater_domain::ErrorKind;
use headwater_domain::secret::{PrivateUrl, Secret};
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Error, Result};
use serde_json::Value;
use url::Url;

/// The feeds of a data source.
#[derive(Debug)]
pub(super) struct Feeds {
    /// All of them, each once, in the user's order.
    pub(super) all: Vec<Feed>,
    /// Those that are followed.
    pub(super) selected: Vec<Feed>,
    /// Selected ids that are no feed of the list.
    pub(super) unknown: Vec<String>,
    /// Sent to the origin of each feed.
    pub(super) headers: Vec<(String, Secret<String>)>,
    /// Whether pages are read.
    pub(super) full_text: bool,
}

/// One feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Feed {
    /// Its URL without secrets, by which it is selected.
    pub(super) id: String,
    /// Its URL.
    pub(super) url: PrivateUrl,
}

impl Feeds {
    /// Reads the settings and credentials.
    ///
    /// # Errors
    /// `invalid_config` without any URL, or with one that is none.
    pub(super) fn new(config: &DataSourceConfig) -> Result<Self> {
        let all = feeds(config)?;
        let (mut selected, mut unknown) = (Vec::new(), Vec::new());
        let mut seen = HashSet::new();
        for id in &config.resource_ids {
            // Whoever writes the file by hand selects by the URL as it stands there.
            let plain = feed(id).map_or_else(|_| id.clone(), |feed| feed.id);
            match all.iter().find(|feed| feed.id == plain || feed.id == *id) {
                Some(feed) if seen.insert(feed.id.clone()) => selected.push(feed.clone()),
                Some(_) => {}
                None => unknown.push(plain),
            }
        }
        if config.resource_ids.is_empty() {
            selected.clone_from(&all);
        }
        let full_text = config.switch("full_text").unwrap_or(true);
        Ok(Self { all, selected, unknown, headers: headers(config), full_text })
    }
}

fn feeds(config: &DataSourceConfig) -> Result<Vec<Feed>> {
    let legacy = || config.credential("feed_urls").map(|secret| secret.expose().clone());
    let texts: Vec<String> = match config.settings.get("feed_urls") {
        Some(Value::Array(values)) => values.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Some(Value::String(text)) if !text.trim().is_empty() => split(text),
        _ => legacy().map(|text| split(&text)).unwrap_or_default(),
    };
    let mut seen = HashSet::new();
    let mut all = Vec::new();
    for text in texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()) {
        let feed = feed(text)?;
        if seen.insert(feed.id.clone()) {
            all.push(feed);
        }
    }
    if all.is_empty() {
        return Err(Error::new(ErrorKind::InvalidConfig, OPERATION, "the setting feed_urls names no feed"));
    }
    Ok(all)
}

/// One a line, or with commas between them; a comma within a URL is followed by no other URL.
fn split(text: &str) -> Vec<String> {
    let mut urls: Vec<String> = Vec::new();
    for line in text.lines() {
        let mut is_first = true;
        for piece in line.split(',') {
            let begins = is_first || piece.trim_start().contains("://") || piece.trim().is_empty();
            match urls.last_mut().filter(|_| !begins) {
                Some(last) => *last = format!("{last},{piece}"),
                None => urls.push(piece.to_owned()),
            }
            is_first = false;
        }
    }
    urls
}

fn feed(text: &str) -> Result<Feed> {
    let url = Url::parse(text.trim()).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let url = url.map(PrivateUrl::new).ok_or_else(|| {
        Error::new(ErrorKind::InvalidConfig, OPERATION, "the setting feed_urls holds something that is no web address")
    })?;
    Ok(Feed { id: url.redacted(), url })
}

/// Lines without a colon, without a name or with characters that no header has are passed over.
fn headers(config: &DataSourceConfig) -> Vec<(String, Secret<String>)> {
    let Some(text) = config.credential("auth_headers") else {
        return Vec::new();
    };
    let is_token = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte))
    };
    let pairs = text.expose().lines().filter_map(|line| line.split_once(':'));
    pairs
        .map(|(name, value)| (name.trim(), value.trim()))
        .filter(|(name, value)| is_token(name) && !value.chars().any(char::is_control))
        .map(|(name, value)| (name.to_owned(), Secret::new(value.to_owned())))
        .collect()
}

const OPERATION: &str = "read the settings of the feeds";

#[cfg(test)]
mod tests;
