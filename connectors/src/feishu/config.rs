//! What a configuration says of a Feishu or Lark app and of what to follow.

use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Error, Result};
use jiff::tz::TimeZone;
use url::Url;

/// Which of the two clouds. Apps, tenants and tokens belong to one of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Region {
    /// Feishu, in China.
    Feishu,
    /// Lark, everywhere else.
    Lark,
}

/// The app and the settings.
#[derive(Debug)]
pub(super) struct Settings {
    pub(super) origin: Url,
    pub(super) web_origin: String,
    pub(super) app_id: String,
    pub(super) app_secret: Secret<String>,
    pub(super) mode: Mode,
    pub(super) zone: TimeZone,
    /// The folders of the drive that are offered for selection.
    pub(super) folders: Vec<String>,
}

/// In which form documents of the new kind are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// As the file that the vendor exports.
    Export,
    /// As Markdown made from the blocks, files and images as children.
    Blocks,
}

/// What is followed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selected {
    /// A space, whole.
    Space(String),
    /// A node of a space with all below it: the space, the node.
    Node(String, String),
    /// A folder of the drive with all below it.
    Folder(String),
}

impl Region {
    /// The word by which configurations name the connector.
    pub(super) fn connector_type(self) -> &'static str {
        match self {
            Self::Feishu => "feishu",
            Self::Lark => "lark",
        }
    }

    fn origin(self) -> &'static str {
        match self {
            Self::Feishu => "https://open.feishu.cn",
            Self::Lark => "https://open.larksuite.com",
        }
    }

    fn web_origin(self) -> &'static str {
        match self {
            Self::Feishu => "https://feishu.cn",
            Self::Lark => "https://larksuite.com",
        }
    }
}

impl Settings {
    /// Reads a configuration.
    ///
    /// # Errors
    /// `invalid_config` names the field.
    pub(super) fn parse(config: &DataSourceConfig, region: Region) -> Result<Self> {
        let kept_as_secret = || config.credential("base_url").map(|secret| secret.expose().trim());
        let origin = config.setting("base_url").or_else(kept_as_secret).unwrap_or(region.origin());
        let origin = Url::parse(origin).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
        Ok(Self {
            origin: origin.ok_or_else(|| invalid("the setting base_url is no web address"))?,
            web_origin: region.web_origin().to_owned(),
            app_id: required(config, "app_id")?.expose().clone(),
            app_secret: required(config, "app_secret")?,
            mode: mode(config)?,
            zone: zone(config)?,
            folders: folders(config),
        })
    }
}

impl Selected {
    /// What a resource id names.
    pub(super) fn parse(id: &str) -> Option<Self> {
        let id = id.trim();
        let sound =
            |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        match id.split_once(':') {
            Some(("drive", folder)) if sound(folder) => Some(Self::Folder(folder.to_owned())),
            Some((space, node)) if sound(space) && sound(node) => Some(Self::Node(space.to_owned(), node.to_owned())),
            None if sound(id) => Some(Self::Space(id.to_owned())),
            _ => None,
        }
    }

    /// The resource id.
    pub(super) fn id(&self) -> String {
        match self {
            Self::Space(space) => space.clone(),
            Self::Node(space, node) => format!("{space}:{node}"),
            Self::Folder(folder) => format!("drive:{folder}"),
        }
    }
}

/// What is followed, in the order of the configuration, each once.
pub(super) fn selected(config: &DataSourceConfig) -> Result<Vec<Selected>> {
    let mut selected = Vec::new();
    for id in &config.resource_ids {
        let one = Selected::parse(id).ok_or_else(|| {
            invalid(&format!("{id:?} names no space, node or folder")).with_hint(
                "a resource id is SPACE, SPACE:NODE or drive:FOLDER; list them with `headwater datasource resources`",
            )
        })?;
        if !selected.contains(&one) {
            selected.push(one);
        }
    }
    if selected.is_empty() {
        return Err(invalid("no space, node or folder is selected")
            .with_hint("list them with `headwater datasource resources`, and name some in resource_ids"));
    }
    Ok(selected)
}

fn required(config: &DataSourceConfig, name: &str) -> Result<Secret<String>> {
    let value = config.credential(name).ok_or_else(|| {
        invalid(&format!("the credential {name} is missing"))
            .with_hint("make a custom app in the developer console, and copy its App ID and App Secret")
    })?;
    Ok(Secret::new(value.expose().trim().to_owned()))
}

fn mode(config: &DataSourceConfig) -> Result<Mode> {
    match config.setting("mode") {
        None | Some("export") => Ok(Mode::Export),
        Some("blocks") => Ok(Mode::Blocks),
        Some(other) => Err(invalid(&format!("the setting mode is {other:?}; it can be export or blocks"))),
    }
}

/// Where the readers of dates in tables live; Feishu's own default is China.
fn zone(config: &DataSourceConfig) -> Result<TimeZone> {
    match config.setting("timezone") {
        None => Ok(TimeZone::fixed(jiff::tz::offset(8))),
        Some(name) => TimeZone::get(name).map_err(|error| {
            invalid(&format!("the setting timezone is {name:?}, which names no time zone")).with_source(error)
        }),
    }
}

fn folders(config: &DataSourceConfig) -> Vec<String> {
    let text = config.setting("folders").unwrap_or_default();
    text.split([',', '\n', ' ']).map(str::trim).filter(|token| !token.is_empty()).map(str::to_owned).collect()
}

pub(super) fn invalid(detail: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, OPERATION, detail)
}

pub(super) const OPERATION: &str = "read Feishu";
