//! How do values of data sources, runs and documents stand in columns?

use headwater_domain::sync::{RunId, SyncLog};
use jiff::Timestamp;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::columns::{parse_time, text};

/// A value as JSON. NUL stands in JSON as an escape, which no database minds in a text.
pub(crate) fn json_text<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).expect("values of the domain are JSON")
}

/// A value from JSON.
pub(crate) fn parse_json<T: DeserializeOwned>(json: &str) -> sqlx::Result<T> {
    serde_json::from_str(json).map_err(|error| sqlx::Error::Decode(Box::new(error)))
}

/// What a column must hold, if it does.
pub(crate) fn readable<T>(value: Option<T>, column: &str) -> sqlx::Result<T> {
    value.ok_or_else(|| sqlx::Error::Decode(format!("`{column}` holds what it may not").into()))
}

/// A time that must be one.
pub(crate) fn time(column: &str, value: &str) -> sqlx::Result<Timestamp> {
    readable(parse_time(value), column)
}

/// A time that may be absent, and must be one where it is not.
pub(crate) fn time_or_none(column: &str, value: Option<String>) -> sqlx::Result<Option<Timestamp>> {
    value.map(|value| time(column, &value)).transpose()
}

/// A number that a column holds as a larger type.
pub(crate) fn number<T: TryFrom<i64>>(column: &str, value: i64) -> sqlx::Result<T> {
    readable(T::try_from(value).ok(), column)
}

/// A number as a column holds it. None is so large that it does not fit.
pub(crate) fn integer(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// Texts that every database can hold.
pub(crate) fn texts(values: &[String]) -> Vec<String> {
    values.iter().map(|value| text(value).into_owned()).collect()
}

/// `run_id`, `data_source_id`, `trigger`, `status`, `started_at`, `finished_at`, `attempt`, `counts`, `errors`, `error`.
pub(crate) type LogRow = (String, String, String, String, String, Option<String>, i64, String, String, Option<String>);

/// The log that a row holds.
pub(crate) fn sync_log(row: LogRow) -> sqlx::Result<SyncLog> {
    use headwater_domain::sync::{DataSourceId, RunStatus, Trigger};
    let (run, data_source, trigger, status, started_at, finished_at, attempt, counts, errors, error) = row;
    Ok(SyncLog {
        run: RunId(run),
        data_source: DataSourceId(data_source),
        trigger: readable(Trigger::parse(&trigger), "trigger")?,
        status: readable(RunStatus::parse(&status), "status")?,
        started_at: time("started_at", &started_at)?,
        finished_at: time_or_none("finished_at", finished_at)?,
        attempt: number("attempt", attempt)?,
        counts: parse_json(&counts)?,
        errors: parse_json(&errors)?,
        error: error.as_deref().map(parse_json).transpose()?,
    })
}
