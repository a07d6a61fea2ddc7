//! What a configuration says of a folder, and which paths it wants.

use std::path::PathBuf;

use headwater_domain::ErrorKind;
use headwater_domain::limits::MAX_BODY_BYTES;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Error, Result};
use serde_json::Value;

use super::WHOLE;
use super::glob::Glob;

/// The folder, what is selected in it, and what is taken.
#[derive(Debug)]
pub(super) struct FolderConfig {
    pub(super) root: PathBuf,
    /// Selected folders, none below another, by their paths; the root's is empty.
    pub(super) selected: Vec<String>,
    include: Vec<Glob>,
    exclude: Vec<Glob>,
    hidden: bool,
    pub(super) max_bytes: u64,
    pub(super) allow_empty: bool,
}

impl FolderConfig {
    pub(super) fn new(config: &DataSourceConfig) -> Result<Self> {
        let root = config.setting("root").map(PathBuf::from);
        let root = root.filter(|path| path.is_absolute()).ok_or_else(|| invalid("root must be an absolute path"))?;
        let max_bytes = match config.settings.get("max_bytes") {
            None | Some(Value::Null) => MAX_BODY_BYTES,
            Some(value) => value.as_u64().ok_or_else(|| invalid("max_bytes must be a number of bytes"))?,
        };
        let include = globs(config, "include")?;
        Ok(Self {
            root,
            selected: selected(&config.resource_ids),
            include: if include.is_empty() { vec![Glob::new("**")] } else { include },
            exclude: globs(config, "exclude")?,
            hidden: config.switch("hidden").unwrap_or(false),
            max_bytes,
            allow_empty: config.switch("allow_empty").unwrap_or(false),
        })
    }

    /// Whether files below that folder may be wanted.
    pub(super) fn enters(&self, folder: &str) -> bool {
        self.shows(folder) && !matches(&self.exclude, folder)
    }

    /// Whether a file is wanted.
    pub(super) fn takes(&self, file: &str) -> bool {
        self.shows(file) && matches(&self.include, file) && !matches(&self.exclude, file)
    }

    /// Whether that file would be met on the way and wanted.
    pub(super) fn reaches(&self, file: &str) -> bool {
        self.takes(file) && file.match_indices('/').all(|(at, _)| self.enters(&file[..at]))
    }

    /// Whether hidden names are taken, or this is none.
    pub(super) fn shows(&self, path: &str) -> bool {
        self.hidden || !path.rsplit('/').next().unwrap_or_default().starts_with('.')
    }
}

/// The selected folders without those below another one, which are read anyway; none selected: the root.
fn selected(ids: &[String]) -> Vec<String> {
    let path = |id: &String| if id == WHOLE { String::new() } else { id.trim_matches('/').to_owned() };
    let mut paths: Vec<String> = ids.iter().map(path).collect();
    if paths.is_empty() {
        paths.push(String::new());
    }
    let all = paths.clone();
    let is_below = |path: &str, other: &str| {
        path != other && (other.is_empty() || path.strip_prefix(other).is_some_and(|rest| rest.starts_with('/')))
    };
    paths.retain(|path| !all.iter().any(|other| is_below(path, other)));
    paths.sort();
    paths.dedup();
    paths
}

fn globs(config: &DataSourceConfig, name: &str) -> Result<Vec<Glob>> {
    let texts: Vec<&str> = match config.settings.get(name) {
        None | Some(Value::Null) => Vec::new(),
        Some(Value::String(text)) => text.lines().collect(),
        Some(Value::Array(values)) => values.iter().map(|value| value.as_str().unwrap_or("")).collect(),
        Some(_) => return Err(invalid(&format!("{name} must be a list of patterns"))),
    };
    Ok(texts.into_iter().map(str::trim).filter(|text| !text.is_empty()).map(Glob::new).collect())
}

fn matches(globs: &[Glob], path: &str) -> bool {
    globs.iter().any(|glob| glob.matches(path))
}

fn invalid(detail: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, "read the settings of the folder", format!("the setting {detail}"))
}
