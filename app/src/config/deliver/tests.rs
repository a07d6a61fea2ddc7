//! What `config::deliver` is held to.

use super::*;

fn sinks(toml: &str) -> Vec<SinkSettings> {
    #[derive(Deserialize)]
    struct Document {
        deliver: Vec<SinkSettings>,
    }
    toml::from_str::<Document>(toml).unwrap().deliver
}

#[track_caller]
fn refused(toml: &str, why: &str) {
    let error = check(&sinks(toml)).unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidConfig);
    assert!(error.to_string().contains(why), "{error}");
}

#[test]
fn a_sink_is_called_by_its_kind_and_has_a_form_that_suits_it() {
    let sinks = sinks(
        "[[deliver]]\nkind = \"file\"\npath = \"out/digest.md\"\n\
         [[deliver]]\nkind = \"webhook\"\nurl = \"https://hooks.example/x\"\nname = \"chat\"\n\
         [[deliver]]\nkind = \"directory\"\npath = \"digests.json\"\n\
         [[deliver]]\nkind = \"webhook\"\nurl = \"https://hooks.example/y\"\nformat = \"atom\"\n",
    );
    check(&sinks).unwrap();
    let shown: Vec<_> = sinks.iter().map(|sink| (sink.name(), sink.format())).collect();
    assert_eq!(
        shown,
        [("file", Format::Markdown), ("chat", Format::Json), ("directory", Format::Html), ("webhook", Format::Atom)]
    );
}

#[test]
fn settings_that_mean_nothing_and_names_that_tell_nothing_apart_are_refused() {
    let file = "[[deliver]]\nkind = \"file\"\npath = \"a.html\"\n";
    refused(&file.repeat(2), "another sink has that name");
    refused(&format!("{file}url = \"https://a.example/\"\n"), "url means nothing there");
    refused("[[deliver]]\nkind = \"webhook\"\npassword = \"x\"\n", "password means nothing there");
    refused(&format!("{file}name = \" \"\n"), "name");
}

#[test]
fn secrets_do_not_show() {
    let sinks = sinks(
        "[[deliver]]\nkind = \"webhook\"\nurl = \"https://hooks.example/tok-1\"\nsecret = \"tok-2\"\n\
         [[deliver]]\nkind = \"smtp\"\npassword = \"tok-3\"\nuser = \"u\"\n",
    );
    assert!(!format!("{sinks:?}").contains("tok-"), "{sinks:?}");
    assert_eq!(sinks[1].login().unwrap().unwrap().1.expose(), "tok-3");
    assert_eq!(sinks[0].signing_secret().unwrap().unwrap().expose(), "tok-2");
}

#[test]
fn a_secret_may_stand_in_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("secret");
    std::fs::write(&path, "tok-4\n").unwrap();
    let toml = format!("[[deliver]]\nkind = \"webhook\"\nsecret_file = {path:?}\n");
    assert_eq!(sinks(&toml)[0].signing_secret().unwrap().unwrap().expose(), "tok-4");
    std::fs::remove_file(&path).unwrap();
    assert!(sinks(&toml)[0].signing_secret().unwrap_err().to_string().contains("secret"));
}
