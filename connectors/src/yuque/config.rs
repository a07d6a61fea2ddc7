//! What a configuration says of a Yuque account and of what to follow.

use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::{Error, Result};
use url::Url;

/// Where the space is, without a path.
pub(super) fn origin(config: &DataSourceConfig) -> Result<Url> {
    // Other programs keep it among the credentials.
    let kept_as_secret = || config.credential("base_url").map(|secret| secret.expose().trim());
    let text = config.setting("base_url").or_else(kept_as_secret).unwrap_or(DEFAULT_ORIGIN);
    let full = if text.contains("://") { text.to_owned() } else { format!("https://{text}") };
    let url = Url::parse(&full).ok().filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    let mut url = url.ok_or_else(|| {
        Error::new(ErrorKind::InvalidConfig, OPERATION, "the setting base_url is no web address")
            .with_hint("give the address of the space, for example https://www.yuque.com")
    })?;
    url.set_path("/");
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}

/// The token.
pub(super) fn token(config: &DataSourceConfig) -> Result<Secret<String>> {
    let token = config.credential("api_token").ok_or_else(|| {
        Error::new(ErrorKind::InvalidConfig, OPERATION, "the credential api_token is missing")
            .with_hint("make a token in Yuque under Settings, Tokens")
    })?;
    let text = token.expose().trim();
    if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(Error::new(ErrorKind::InvalidCredentials, OPERATION, "the api_token has characters no token has"));
    }
    Ok(Secret::new(text.to_owned()))
}

/// What is followed, each once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Selected {
    /// A book, by its id or its namespace.
    Book(String),
    /// All books of a team or a user, by its resource id.
    Shelf(Shelf),
}

/// Whose books.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Shelf {
    /// A team or a user.
    pub(super) kind: ShelfKind,
    /// The login.
    pub(super) login: String,
}

/// Who has books.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ShelfKind {
    /// A team.
    Group,
    /// A person.
    User,
}

impl Shelf {
    /// What the resource id `group:LOGIN` or `user:LOGIN` names.
    pub(super) fn parse(id: &str) -> Option<Self> {
        let (kind, login) = id.split_once(':')?;
        let kind = match kind {
            "group" => ShelfKind::Group,
            "user" => ShelfKind::User,
            _ => return None,
        };
        (!login.is_empty()).then(|| Self { kind, login: login.to_owned() })
    }

    /// The resource id.
    pub(super) fn id(&self) -> String {
        match self.kind {
            ShelfKind::Group => format!("group:{}", self.login),
            ShelfKind::User => format!("user:{}", self.login),
        }
    }
}

/// What is followed, in the order of the configuration, each once.
pub(super) fn selected(config: &DataSourceConfig) -> Result<Vec<Selected>> {
    let mut selected = Vec::new();
    for id in config.resource_ids.iter().map(|id| id.trim()).filter(|id| !id.is_empty()) {
        let one = Shelf::parse(id).map_or_else(|| Selected::Book(id.to_owned()), Selected::Shelf);
        if !selected.contains(&one) {
            selected.push(one);
        }
    }
    if selected.is_empty() {
        return Err(Error::new(ErrorKind::InvalidConfig, OPERATION, "no book is selected")
            .with_hint("list the books with `headwater datasource resources`, and name some in resource_ids"));
    }
    Ok(selected)
}

pub(super) const OPERATION: &str = "read Yuque";

const DEFAULT_ORIGIN: &str = "https://www.yuque.com";
