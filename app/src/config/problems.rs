//! What is wrong with a configuration file: every mistake, with its key and its place.

use std::fmt;

use headwater_domain::secret::redact_text;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::Config;

/// A mistake in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    /// The line, counted from one.
    pub(crate) line: usize,
    /// The key with its section; none where the file cannot be understood at all.
    pub(crate) key: Option<String>,
    /// What is wrong, without any secret.
    pub(crate) message: String,
}

/// Every mistake in the text of a configuration file, in the order of the lines.
///
/// Each setting is tried by itself, so that one mistake hides no other.
pub(crate) fn problems(text: &str) -> Vec<Problem> {
    let table = match DeTable::parse(text) {
        Ok(table) => table,
        Err(error) => return vec![whole(text, &error)],
    };
    let mut problems: Vec<Problem> =
        table.get_ref().iter().flat_map(|(section, value)| in_section(text, section, value)).collect();
    if problems.is_empty()
        && let Err(error) = toml::from_str::<Config>(text)
    {
        problems.push(whole(text, &error));
    }
    problems.sort_by_key(|problem| problem.line);
    problems
}

/// The line on which a setting stands.
pub(crate) fn line_of(text: &str, section: &str, key: &str) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let (_, value) = table.get_ref().iter().find(|(name, _)| name.get_ref() == section)?;
    let DeValue::Table(settings) = value.get_ref() else { return None };
    let (key, _) = settings.iter().find(|(name, _)| name.get_ref() == key)?;
    Some(line(text, key.span().start))
}

fn in_section(text: &str, section: &Spanned<std::borrow::Cow<'_, str>>, value: &Spanned<DeValue<'_>>) -> Vec<Problem> {
    let name = section.get_ref();
    let problem =
        |line, key: String, error: &toml::de::Error| Problem { line, message: message(error, &key), key: Some(key) };
    let DeValue::Table(settings) = value.get_ref() else {
        // A list of tables has no text of its own that could be tried apart: the file as a whole tells.
        let alone = format!("{} = 0", quoted(name));
        let error = toml::from_str::<Config>(&alone).err().filter(|error| error.message().starts_with("unknown field"));
        let at = line(text, section.span().start);
        return error.map(|error| problem(at, name.to_string(), &error)).into_iter().collect();
    };
    if let Err(error) = toml::from_str::<Config>(&format!("[{}]\n", quoted(name))) {
        return vec![problem(line(text, section.span().start), name.to_string(), &error)];
    }
    let wrong = settings.iter().filter(|(_, value)| !has_tables(value.get_ref())).filter_map(|(key, value)| {
        let setting = format!("[{}]\n{} = {}\n", quoted(name), quoted(key.get_ref()), &text[value.span()]);
        let error = toml::from_str::<Config>(&setting).err()?;
        Some(problem(line(text, key.span().start), format!("{name}.{}", key.get_ref()), &error))
    });
    wrong.collect()
}

/// Whether a value may be spread over several places of the file.
fn has_tables(value: &DeValue<'_>) -> bool {
    match value {
        DeValue::Table(_) => true,
        DeValue::Array(values) => values.iter().any(|value| has_tables(value.get_ref())),
        _ => false,
    }
}

fn whole(text: &str, error: &toml::de::Error) -> Problem {
    let line = line(text, error.span().map_or(0, |span| span.start));
    // The message may show a piece of the line, which may hold a secret.
    Problem { line, key: None, message: redact_text(error.message()).into_owned() }
}

/// What is wrong with a setting: of an unknown one, what may have been meant; of a secret, never the value.
fn message(error: &toml::de::Error, key: &str) -> String {
    let message = error.message();
    let Some(rest) = message.strip_prefix("unknown field ") else {
        let is_secret = ["key", "secret", "password", "token"].iter().any(|word| key.contains(word));
        return if is_secret { "the value is of the wrong kind".to_owned() } else { redact_text(message).into_owned() };
    };
    let mut names = rest.split('`').skip(1).step_by(2);
    let unknown = names.next().unwrap_or_default();
    let nearest = names.map(|name| (distance(unknown, name), name)).min();
    match nearest.filter(|(distance, _)| *distance <= MAX_SLIPS) {
        Some((_, name)) => format!("there is no such key; did you mean `{name}`?"),
        None => "there is no such key".to_owned(),
    }
}

/// How many letters must be put in, left out or changed to make one word of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(MAX_NAME).collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (i, letter) in one.chars().take(MAX_NAME).enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for (j, against) in other.iter().enumerate() {
            let changed = diagonal + usize::from(letter != *against);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().copied().unwrap_or_default()
}

fn quoted(key: &str) -> String {
    toml::Value::from(key).to_string()
}

fn line(text: &str, offset: usize) -> usize {
    text.as_bytes().iter().take(offset).filter(|byte| **byte == b'\n').count() + 1
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.key {
            Some(key) => write!(f, "line {}: {key}: {}", self.line, self.message),
            None => write!(f, "line {}: {}", self.line, self.message),
        }
    }
}

/// More slips than that make another word.
const MAX_SLIPS: usize = 3;

/// Names of keys are shorter.
const MAX_NAME: usize = 64;

#[cfg(test)]
mod tests;
