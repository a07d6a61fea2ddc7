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
    assert!(load(&[], &[("fetch.timeout_s", "0")]).is_err());
}

#[test]
fn every_key_of_the_reader_reaches_it() {
    let sets = [
        ("fetch.backoff_base_s", "7"),
        ("fetch.backoff_max_s", "9"),
        ("fetch.min_interval_s", "11"),
        ("fetch.challenge_wait_s", "13"),
        ("fetch.max_items", "17"),
        ("fetch.max_redirects", "3"),
        ("fetch.timeout_s", "19"),
    ];
    let config = load(&[], &sets).unwrap();
    let (policy, limits) = (config.reader_policy(), config.read_limits());
    let waits = [policy.backoff.wait(1), policy.backoff.wait(2), policy.min_interval, policy.challenge_wait];
    assert_eq!(waits.map(|wait| wait.as_secs()), [7, 9, 11, 13]);
    assert_eq!((limits.max_items, limits.fetch.max_redirects, limits.fetch.timeout.as_secs()), (17, 3, 19));
}

#[test]
fn rules_for_feed_links_are_added_and_replace() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("headwater.toml");
    let rule = "[fetch.link_rules.\"my.example\"]\npath = 'rss/make'\nclass = 'feed'\nparams = { n = '10' }\n";
    std::fs::write(&file, rule).unwrap();
    let rules = Config::load(Some(&file), &[]).unwrap().fetch.link_rules;
    let path = |site: &str| rules.rule(&site.parse().unwrap()).path.clone();
    assert_eq!(
        (path("https://a.my.example/"), path("https://other.example/")),
        ("rss/make".into(), "getrss.php".into())
    );
    std::fs::write(&file, rule.replace("class", "klass")).unwrap();
    assert!(Config::load(Some(&file), &[]).unwrap_err().to_string().contains("klass"));
}

#[test]
fn the_flag_names_the_store() {
    let config = StoreConfig { url: Some("sqlite:a.db".to_owned()), ..StoreConfig::default() };
    assert_eq!(config.location(Some("sqlite:b.db")).unwrap(), "sqlite:b.db");
    assert_eq!(config.location(None).unwrap(), "sqlite:a.db");
}

/// The table of `docs/configuration.md`, made of the doc comments where the keys are defined. `UPDATE=1` rewrites it.
#[test]
fn the_guide_lists_every_key() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/configuration.md");
    let guide = std::fs::read_to_string(&path).unwrap();
    let (head, _) = guide.split_once(TABLE).expect("the guide has a place for the table");
    let expected = format!("{head}{TABLE}\n\n{}", table());
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    } else {
        assert_eq!(guide, expected, "run the test again with UPDATE=1");
    }
    let keys: Vec<_> = expected.lines().filter(|line| line.starts_with("| `")).collect();
    assert!(keys.len() > 40, "only {} keys were found", keys.len());
}

const TABLE: &str = "## The keys";

/// The file that `config init` writes. `UPDATE=1` rewrites it.
#[test]
fn the_template_lists_every_key_and_can_be_used() {
    let expected = template();
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/config/template.toml"), &expected).unwrap();
    } else {
        assert_eq!(TEMPLATE, expected, "run the test again with UPDATE=1");
    }
    assert_eq!(problems::problems(&expected), []);
    let set: String = expected
        .lines()
        .map(|line| line.strip_prefix('#').filter(|rest| !rest.starts_with(' ')).unwrap_or(line))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(problems::problems(&set), [], "every line can be taken as it stands");
    assert!(set.contains("\nmax_links = 20\n") && set.contains("\nlevel = \"warn\"\n"), "{set}");
}

fn template() -> String {
    let mut template = "# Headwater's configuration. Each setting stands here behind a `#`, with its default or an example: take the `#`\n\
                        # away to set it. The environment (HEADWATER__FETCH__TIMEOUT_S) and `--set` go over this file.\n"
        .to_owned();
    let mut last = "";
    for (section, key, doc) in keys() {
        if section != last {
            // There may be any number of sinks, and none is set.
            let header = if section == "deliver" { "#[[deliver]]".to_owned() } else { format!("[{section}]") };
            template.push_str(&format!("\n{header}\n"));
            last = section;
        }
        let doc = doc.replace("\\|", "|");
        template.push_str(&format!("# {doc}\n#{key} = {}\n", value(section, &key, &doc)));
    }
    template
}

/// The default, where the doc comment names one that is a value; else an example.
fn value(section: &str, key: &str, doc: &str) -> String {
    let example = match (section, key) {
        ("fetch", "interval_s") | ("circuit", "cool_down_s") => "3600",
        ("fetch", "user_agent") => "\"Headwater (+https://example.org/contact)\"",
        ("fetch", "allow") => "[\"wiki.corp:8443\", \"10.1.0.0/16\"]",
        ("fetch", "link_rules") => {
            "{ \"tracker.example\" = { path = \"rss/make\", params = { rows = \"50\" }, class = \"feedlink\" } }"
        }
        ("fetch", "proxy") => "\"http://proxy.example:3128\"",
        ("run", "max_articles") => "100",
        ("run", "max_articles_per_source" | "topic_quota") => "10",
        ("store", "url") => "\"sqlite:headwater.db\"",
        ("store", "keep_runs_days") => "90",
        ("store", "keep_history_days") => "730",
        ("vault", "keys") => "\"home:the-key-that-headwater-key-generate-printed\"",
        ("vault", "keys_file") => "\"/etc/headwater/vault-keys\"",
        ("watch", "schedule") => "\"0 7 * * *\"",
        ("model", "url") => "\"https://api.example/v1/chat/completions\"",
        ("model", "name") => "\"small-model\"",
        ("model", "key") => "\"the-key-of-the-endpoint\"",
        ("model", "key_file") => "\"/etc/headwater/model-key\"",
        ("model", "max_cost") => "0.5",
        ("model", "input_price" | "output_price") => "0.5",
        ("model", "temperature") => "0.2",
        ("deliver", "kind") => "\"file\"",
        ("deliver", "name") => "\"morning\"",
        ("deliver", "format") => "\"html\"",
        ("deliver", "path") => "\"/var/lib/headwater/digest.html\"",
        ("deliver", "url") => "\"https://hooks.example/digest\"",
        ("deliver", "secret") => "\"what-both-sides-know\"",
        ("deliver", "secret_file") => "\"/etc/headwater/webhook-secret\"",
        ("deliver", "host") => "\"mail.example.org\"",
        ("deliver", "port") => "587",
        ("deliver", "user") => "\"digest\"",
        ("deliver", "password") => "\"the-password-of-user\"",
        ("deliver", "password_file") => "\"/etc/headwater/mail-password\"",
        ("deliver", "from") => "\"Headwater <digest@example.org>\"",
        ("deliver", "to") => "[\"reader@example.org\"]",
        ("deliver", "timeout_s") => "30",
        _ => "",
    };
    if !example.is_empty() {
        return example.to_owned();
    }
    let default = doc
        .rsplit_once("Default: ")
        .map(|(_, rest)| rest.trim_end_matches('.'))
        .unwrap_or_else(|| panic!("{key} has no default"));
    match default.strip_prefix('`').and_then(|rest| rest.split('`').next()) {
        Some(word) => format!("\"{word}\""),
        None => default.to_owned(),
    }
}

fn table() -> String {
    let mut table = "| key | what it sets |\n|---|---|\n".to_owned();
    for (section, key, doc) in keys() {
        table.push_str(&format!("| `{section}.{key}` | {doc} |\n"));
    }
    table
}

/// Section, key and doc comment of each setting.
fn keys() -> Vec<(&'static str, String, String)> {
    let mut keys = Vec::new();
    let sources = [
        include_str!("../config.rs"),
        include_str!("../../../domain/src/synthesis/policy.rs"),
        include_str!("model.rs"),
        include_str!("deliver.rs"),
    ];
    for (section, holder) in [
        ("fetch", "FetchConfig"),
        ("circuit", "CircuitConfig"),
        ("run", "RunPolicy"),
        ("store", "StoreConfig"),
        ("vault", "VaultConfig"),
        ("watch", "WatchConfig"),
        ("model", "ModelSettings"),
        ("deliver", "SinkSettings"),
        ("log", "LogConfig"),
    ] {
        let opening = format!("struct {holder} {{\n");
        let body = sources.iter().find_map(|source| source.split_once(&opening)).unwrap().1;
        for (key, doc) in fields(body.split_once("\n}").unwrap().0) {
            keys.push((section, key, doc));
        }
    }
    keys
}

/// The fields of a struct's body, each with its doc comment in one line.
fn fields(body: &str) -> Vec<(String, String)> {
    let mut fields = Vec::new();
    let mut doc: Vec<&str> = Vec::new();
    for line in body.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("/// ") {
            doc.push(text);
        } else if let Some((name, _)) = line.split_once(": ").filter(|_| line.starts_with("pub")) {
            let name = name.rsplit(' ').next().unwrap();
            fields.push((name.to_owned(), std::mem::take(&mut doc).join(" ").replace('|', "\\|")));
        }
    }
    fields
}
