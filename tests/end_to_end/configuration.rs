//! How a configuration is begun, checked and shown.

use crate::kit::Headwater;

#[test]
fn a_new_file_lists_everything_and_changes_nothing() {
    let headwater = Headwater::new();
    let path = headwater.path("headwater.toml");
    let file = path.to_str().unwrap();
    assert_eq!(headwater.other(&["config", "init", file]).status, 0);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(text.contains("[fetch]") && text.contains("\n#max_links = 20\n"), "{text}");
    assert_eq!(headwater.other(&["config", "check", file]).status, 0);
    let (with, without) =
        (headwater.other(&["--config", file, "config", "show"]), headwater.other(&["config", "show"]));
    assert_eq!((with.status, &with.out), (0, &without.out));
    assert_eq!(headwater.other(&["config", "init", file]).status, 2, "a file that is there is not replaced");
    assert_eq!(headwater.other(&["config", "init", "-"]).out, text);
}

#[test]
fn every_mistake_is_named_with_file_key_and_line() {
    let headwater = Headwater::new();
    let path = headwater.write("bad.toml", "[fetch]\nintervall_s = 1\nallow = ['a b']\n[run]\nmax_links = 'x'\n");
    let file = path.to_str().unwrap();
    let checked = headwater.other(&["config", "check", file]);
    assert_eq!(checked.status, 1);
    assert!(
        checked.out.contains("bad.toml: line 2: fetch.intervall_s: there is no such key; did you mean `interval_s`?")
    );
    assert!(checked.out.contains("bad.toml: line 5: run.max_links: invalid type"), "{checked:?}");
    let json = headwater.other(&["config", "check", file, "--json"]).json();
    assert_eq!(
        (json["problems"][0]["line"].as_u64(), json["problems"][1]["key"].as_str()),
        (Some(2), Some("run.max_links"))
    );
    let run = headwater.run(&["https://a.example/", "--config", file, "--json"]);
    assert_eq!((run.status, run.json()["error"]["code"].as_str()), (1, Some("invalid_config")));
    assert!(run.out.contains("line 2: fetch.intervall_s"), "{run:?}");

    let senseless = "[watch]\nschedule = '61 * * * *'\n[vault]\nkeys = 'k1:QUVTLXNlY3JldA'\n";
    let path = headwater.write("senseless.toml", senseless);
    let checked = headwater.other(&["config", "check", path.to_str().unwrap()]);
    assert!(
        checked.out.contains("line 2: watch.schedule") && checked.out.contains("line 4: vault.keys"),
        "{checked:?}"
    );
    assert!(!checked.out.contains("QUVTLXNlY3JldA"), "{checked:?}");
}

#[test]
fn what_holds_is_shown_without_secrets() {
    let headwater = Headwater::new();
    let file = headwater
        .write("a.toml", "[fetch]\nproxy = 'http://u:hunter2hunter2@proxy.example:3128'\n[run]\nmax_links = 7\n");
    let arguments = ["--config", file.to_str().unwrap(), "--set", "vault.keys=home:0123456789", "config", "show"];
    let shown = headwater.other(&arguments);
    assert!(shown.out.contains("max_links = 7\n") && shown.out.contains("keys = \"***\"\n"), "{shown:?}");
    let json = headwater.other(&[&arguments[..], &["--json"]].concat());
    assert_eq!(
        (json.json()["run"]["max_links"].as_u64(), json.json()["vault"]["keys"].as_str()),
        (Some(7), Some("***"))
    );
    assert!(!format!("{shown:?}{json:?}").contains("hunter2") && !format!("{shown:?}{json:?}").contains("0123456789"));
}
