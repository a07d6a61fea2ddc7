//! Where digests are delivered to.

use std::collections::BTreeSet;
use std::path::PathBuf;

use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_ports::Error;
use serde::{Deserialize, Serialize};

use super::{masked, secret, secret_file};
use crate::digest::Format;

/// A sink, written as `[[deliver]]` in the configuration file.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct SinkSettings {
    /// `file` (always the latest digest), `directory` (a file for each), `webhook` or `smtp`.
    pub(crate) kind: SinkKind,
    /// What it is called in messages and records; needed where two have the same kind. Default: its kind.
    #[serde(default)]
    pub(crate) name: Option<String>,
    /// `text`, `markdown`, `html`, `json` or `atom`. Default: as the ending of `path` says, else `html` for files and
    /// mail, and `json` for web hooks.
    #[serde(default)]
    pub(crate) format: Option<Format>,
    /// Whether it gets digests without articles too. Default: false.
    #[serde(default)]
    pub(crate) empty: bool,
    /// The file, or the folder.
    #[serde(default)]
    pub(crate) path: Option<PathBuf>,
    /// The URL of the web hook.
    #[serde(default, deserialize_with = "secret", serialize_with = "masked")]
    pub(crate) url: Option<Secret<String>>,
    /// What signs the requests of the web hook. Default: they are not signed.
    #[serde(default, deserialize_with = "secret", serialize_with = "masked")]
    pub(crate) secret: Option<Secret<String>>,
    /// A file that holds the secret, used where `secret` is not set.
    #[serde(default)]
    pub(crate) secret_file: Option<PathBuf>,
    /// The mail server.
    #[serde(default)]
    pub(crate) host: Option<String>,
    /// Its port. Default: 587 for `starttls`, 465 for `tls`, 25 for `none`.
    #[serde(default)]
    pub(crate) port: Option<u16>,
    /// `starttls`, `tls` or `none`. Default: `starttls`.
    #[serde(default)]
    pub(crate) security: Option<MailSecurity>,
    /// Who hands mail in. Default: nobody logs in.
    #[serde(default)]
    pub(crate) user: Option<String>,
    /// The password of `user`.
    #[serde(default, deserialize_with = "secret", serialize_with = "masked")]
    pub(crate) password: Option<Secret<String>>,
    /// A file that holds the password, used where `password` is not set.
    #[serde(default)]
    pub(crate) password_file: Option<PathBuf>,
    /// The sender, for example `Headwater <digest@example.org>`.
    #[serde(default)]
    pub(crate) from: Option<String>,
    /// The recipients.
    #[serde(default)]
    pub(crate) to: Vec<String>,
    /// How often one digest is sent at most in one run, for web hooks. Default: 3.
    #[serde(default)]
    pub(crate) attempts: Option<u32>,
    /// Seconds for one attempt. Default: 30, and 60 for mail.
    #[serde(default)]
    pub(crate) timeout_s: Option<u64>,
}

/// The kinds of sinks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum SinkKind {
    /// A file that always holds the latest digest.
    File,
    /// A folder with a file for each digest.
    Directory,
    /// A URL that each digest is sent to.
    Webhook,
    /// Mailboxes.
    Smtp,
}

/// How the connection to a mail server is encrypted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MailSecurity {
    /// It must become encrypted before anything is said.
    Starttls,
    /// It is from the first byte.
    Tls,
    /// It is not.
    None,
}

impl SinkSettings {
    /// What it is called.
    pub(crate) fn name(&self) -> &str {
        self.name.as_deref().unwrap_or(self.kind.as_str())
    }

    /// The form of the digests.
    pub(crate) fn format(&self) -> Format {
        let by_path = match self.kind {
            SinkKind::File => {
                self.path.as_ref().and_then(|path| path.extension()?.to_str().and_then(Format::of_ending))
            }
            _ => None,
        };
        self.format.or(by_path).unwrap_or(match self.kind {
            SinkKind::Webhook => Format::Json,
            _ => Format::Html,
        })
    }

    /// What signs its requests.
    pub(crate) fn signing_secret(&self) -> Result<Option<Secret<String>>, Error> {
        either(self.secret.as_ref(), self.secret_file.as_ref())
    }

    /// Who logs in, with the password.
    pub(crate) fn login(&self) -> Result<Option<(String, Secret<String>)>, Error> {
        let Some(user) = &self.user else { return Ok(None) };
        match either(self.password.as_ref(), self.password_file.as_ref())? {
            Some(password) => Ok(Some((user.clone(), password))),
            None => Err(self.unusable("user needs a password or a password_file")),
        }
    }

    /// A value that the kind needs.
    pub(crate) fn needed<'a, T>(&self, key: &str, value: &'a Option<T>) -> Result<&'a T, Error> {
        value.as_ref().ok_or_else(|| self.unusable(&format!("{key} is missing")))
    }

    /// Says that the sink cannot be set up so.
    pub(crate) fn unusable(&self, why: &str) -> Error {
        let detail = format!("the sink {:?} ({}) cannot be set up: {why}", self.name(), self.kind.as_str());
        Error::new(ErrorKind::InvalidConfig, "set up sinks", detail)
    }

    /// Refuses keys that mean nothing for the kind, so that a slip is not taken for a setting.
    fn check(&self) -> Result<(), Error> {
        use SinkKind::{Directory, File, Smtp, Webhook};
        let files: &[SinkKind] = &[File, Directory];
        let set = [
            ("path", self.path.is_some(), files),
            ("url", self.url.is_some(), &[Webhook]),
            ("secret", self.secret.is_some(), &[Webhook]),
            ("secret_file", self.secret_file.is_some(), &[Webhook]),
            ("attempts", self.attempts.is_some(), &[Webhook]),
            ("timeout_s", self.timeout_s.is_some(), &[Webhook, Smtp]),
            ("host", self.host.is_some(), &[Smtp]),
            ("port", self.port.is_some(), &[Smtp]),
            ("security", self.security.is_some(), &[Smtp]),
            ("user", self.user.is_some(), &[Smtp]),
            ("password", self.password.is_some(), &[Smtp]),
            ("password_file", self.password_file.is_some(), &[Smtp]),
            ("from", self.from.is_some(), &[Smtp]),
            ("to", !self.to.is_empty(), &[Smtp]),
        ];
        match set.iter().find(|(_, is_set, kinds)| *is_set && !kinds.contains(&self.kind)) {
            Some((key, ..)) => Err(self.unusable(&format!("{key} means nothing there"))),
            None => Ok(()),
        }
    }
}

impl SinkKind {
    /// The word of the configuration.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::File => "file",
            Self::Directory => "directory",
            Self::Webhook => "webhook",
            Self::Smtp => "smtp",
        }
    }
}

/// Refuses sinks that cannot be told apart, and settings that mean nothing.
pub(crate) fn check(sinks: &[SinkSettings]) -> Result<(), Error> {
    let mut names = BTreeSet::new();
    for sink in sinks {
        sink.check()?;
        if sink.name().trim().is_empty() || !names.insert(sink.name()) {
            return Err(sink.unusable("another sink has that name; give each a name of its own"));
        }
    }
    Ok(())
}

fn either(secret: Option<&Secret<String>>, file: Option<&PathBuf>) -> Result<Option<Secret<String>>, Error> {
    match (secret, file) {
        (Some(secret), _) => Ok(Some(secret.clone())),
        (None, Some(path)) => secret_file(path).map(Some),
        (None, None) => Ok(None),
    }
}

#[cfg(test)]
mod tests;
