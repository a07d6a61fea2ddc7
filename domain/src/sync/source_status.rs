//! Whether a data source is read, and who says so.

use serde::{Deserialize, Serialize};

/// Whether a data source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DataSourceStatus {
    /// By hand and by schedule.
    #[default]
    Active,
    /// By hand only, since a person said so.
    Paused,
    /// By hand only, until a person has seen to the reason.
    Parked(ParkReason),
    /// Never again; its log is still there.
    Deleted,
}

/// What a person must see to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ParkReason {
    /// The outside system refuses the credentials.
    InvalidCredentials,
    /// No present key opens the sealed credentials.
    CredentialsUnreadable,
    /// The configuration is wrong, or its connector is not there.
    InvalidConfig,
    /// Its runs end the process that they are in.
    Crashing,
}

/// What a person can say about whether a data source is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// Not by schedule. A run that is under way goes on, and does not undo this.
    Paused,
    /// Again; what parked it counts as seen to.
    Resumed,
    /// Not before a person has seen to the reason. A paused source stays paused.
    Parked(ParkReason),
}

impl DataSourceStatus {
    /// The word for it, as stored and shown; the reason stands apart.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Paused => "paused",
            Self::Parked(_) => "parked",
            Self::Deleted => "deleted",
        }
    }

    /// The status for a word and a reason; none for words that are none.
    pub fn parse(word: &str, reason: Option<&str>) -> Option<Self> {
        match word {
            "active" => Some(Self::Active),
            "paused" => Some(Self::Paused),
            "parked" => ParkReason::parse(reason?).map(Self::Parked),
            "deleted" => Some(Self::Deleted),
            _ => None,
        }
    }

    /// Why it is parked, if it is.
    pub fn park_reason(self) -> Option<ParkReason> {
        match self {
            Self::Parked(reason) => Some(reason),
            _ => None,
        }
    }

    /// The status after a person, or the end of a run, said something about it.
    #[must_use]
    pub fn after(self, standing: Option<Standing>) -> Self {
        match (self, standing) {
            (Self::Deleted, _) => Self::Deleted,
            (Self::Paused, Some(Standing::Parked(_))) => Self::Paused,
            (_, Some(Standing::Parked(reason))) => Self::Parked(reason),
            (_, Some(Standing::Paused)) => Self::Paused,
            (_, Some(Standing::Resumed)) => Self::Active,
            (status, None) => status,
        }
    }
}

impl ParkReason {
    /// The stable word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::InvalidCredentials => "invalid_credentials",
            Self::CredentialsUnreadable => "credentials_unreadable",
            Self::InvalidConfig => "invalid_config",
            Self::Crashing => "crashing",
        }
    }

    /// The reason for a word.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [Self::InvalidCredentials, Self::CredentialsUnreadable, Self::InvalidConfig, Self::Crashing];
        all.into_iter().find(|reason| reason.as_str() == word)
    }
}
