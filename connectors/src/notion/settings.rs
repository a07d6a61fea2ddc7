//! What a configuration must hold, and what it may say.

use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{ConfigField, Error, FieldPlace, Result};
use url::Url;

/// The parts of a configuration that this connector reads.
pub(super) struct Settings {
    /// The integration's token.
    pub(super) token: Secret<String>,
    /// Where the service is, without `/v1` and without a slash at the end.
    pub(super) base: String,
}

impl Settings {
    /// Reads them.
    ///
    /// # Errors
    /// `invalid_config` names the field.
    pub(super) fn parse(config: &DataSourceConfig) -> Result<Self> {
        let token = config.credential(TOKEN).ok_or_else(|| wrong(TOKEN, "is missing or empty"))?;
        let token = Secret::new(token.expose().trim().to_owned());
        if !token.expose().bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(wrong(TOKEN, "holds characters that no token has"));
        }
        let base = config.setting(BASE_URL).unwrap_or(DEFAULT_BASE_URL).trim_end_matches('/');
        let base = base.strip_suffix("/v1").unwrap_or(base);
        let url = Url::parse(base).map_err(|_| wrong(BASE_URL, "is no URL"))?;
        if !matches!(url.scheme(), "http" | "https") || url.query().is_some() || url.fragment().is_some() {
            return Err(wrong(BASE_URL, "is no plain http or https URL"));
        }
        Ok(Self { token, base: base.to_owned() })
    }
}

/// The fields, for forms.
pub(super) const FIELDS: &[ConfigField] = &[
    ConfigField {
        name: TOKEN,
        place: FieldPlace::Credentials,
        required: true,
        description: "The token of an internal integration that may read content (`ntn_…`).",
    },
    ConfigField {
        name: BASE_URL,
        place: FieldPlace::Settings,
        required: false,
        description: "Where the service is; https://api.notion.com where nothing is said.",
    },
];

fn wrong(field: &str, fault: &str) -> Error {
    Error::new(ErrorKind::InvalidConfig, "read the configuration", format!("`{field}` {fault}"))
}

const TOKEN: &str = "api_key";
const BASE_URL: &str = "base_url";
const DEFAULT_BASE_URL: &str = "https://api.notion.com";
