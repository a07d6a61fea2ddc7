//! What `config` is held to.

use std::collections::HashMap;

use super::*;

fn load(environment: &[(&str, &str)], sets: &[(&str, &str)]) -> Result<Config, config::ConfigError> {
    let variables: HashMap<String, String> =
        environment.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let source = Environment::with_prefix("HEADWATER")
        .prefix_separator("__")
        .separator("__")
        .try_parsing(true)
        .source(Some(variables));
    let sets: Vec<_> = sets.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    Config::layered(None, source, &sets)
}

#[test]
fn a_flag_beats_the_environment() {
    let environment = [("HEADWATER__FETCH__INTERVAL_S", "60"), ("HEADWATER__FETCH__MAX_PAGES", "4")];
    let config = load(&environment, &[("fetch.interval_s", "3600")]).unwrap();
    assert_eq!((config.fetch.interval_s, config.fetch.max_pages), (Some(3600), Some(4)));
}

#[test]
fn an_unknown_key_is_an_error_that_names_it() {
    let error = load(&[], &[("fetch.intervall_s", "3600")]).unwrap_err();
    assert!(error.to_string().contains("intervall_s"), "{error}");
}

#[test]
fn a_value_of_the_wrong_kind_is_an_error() {
    assert!(load(&[], &[("fetch.interval_s", "soon")]).is_err());
    assert!(load(&[], &[("fetch.interval_s", "-1")]).is_err());
}

#[test]
fn the_flag_names_the_store() {
    let config = StoreConfig { url: Some("sqlite:a.db".to_owned()), ..StoreConfig::default() };
    assert_eq!(config.location(Some("sqlite:b.db")).unwrap(), "sqlite:b.db");
    assert_eq!(config.location(None).unwrap(), "sqlite:a.db");
}
