//! What a source, a file or an option that is wrong does: an error with its code, the others go on, nothing by halves.

use headwater_tests::site::Answer;

use crate::kit::{Headwater, items, paths, rss, site};

#[test]
fn every_bad_source_has_its_code_and_the_others_go_on() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/good", rss(&items(&site, &[1, 2, 3])));
    site.set("/500", Answer::status(500));
    site.set("/image", Answer::of("image/png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR".to_vec()));
    site.set("/empty", Answer::html(""));
    site.set("/inside", Answer::redirect(302, "http://169.254.169.254/latest/meta-data/"));
    site.set("/loop", Answer::redirect(302, "/loop"));
    let urls = ["/good", "/500", "/image", "/empty", "/inside", "/loop", "/404"].map(|path| site.url(path));
    let mut arguments: Vec<&str> = urls.iter().map(String::as_str).collect();
    arguments.extend(["no url", "ftp://a.example/", "http://10.0.0.1/", "--json"]);
    let ended = headwater.run(&arguments);
    assert_eq!(ended.status, 3, "{ended:?}");
    let digest = ended.json();
    assert_eq!(paths(&digest), ["/1", "/2", "/3"]);
    let codes: Vec<&str> =
        digest["sources"].as_array().unwrap().iter().filter_map(|source| source["error"]["code"].as_str()).collect();
    let expected = [
        "http_status",
        "not_a_feed",
        "empty_body",
        "blocked_address",
        "redirect_loop",
        "http_status",
        "invalid_url",
        "invalid_url",
        "blocked_address",
    ];
    assert_eq!(codes, expected);
}

#[test]
fn a_run_of_which_every_source_fails_has_failed() {
    let (headwater, site) = (Headwater::new(), site());
    let ended = headwater.run(&[&site.url("/404"), "nothing", "--json"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    let document = ended.json();
    assert_eq!(document["error"]["code"], "http_status");
    assert_eq!(document["sources"].as_array().unwrap().len(), 2);
}

#[test]
fn an_unreadable_file_is_wrong_usage_with_line_and_column() {
    let headwater = Headwater::new();
    headwater.write("sources.toml", "[[source]]\nurl = \"https://a.example/\"\ntitel = \"A\"\n");
    headwater.write("topics.toml", "[[topic]\nname = \"A\"\n");
    headwater.write("list.opml", "<opml><body><outline text='a'");
    for (arguments, place) in [
        (["--sources", "sources.toml"], "sources.toml:3:1: "),
        (["--topics", "topics.toml"], "topics.toml:1:"),
        (["--sources", "none.toml"], "none.toml"),
    ] {
        let ended = headwater.run(&[&["https://a.example/"], &arguments[..]].concat());
        assert_eq!((ended.status, ended.out.as_str()), (2, ""), "{ended:?}");
        assert!(ended.err.contains(place), "{ended:?}");
    }
    assert!(!headwater.path("store.db").exists(), "no store is made for a command that cannot be understood");
}

#[test]
fn without_any_source_the_command_is_wrong() {
    let ended = Headwater::new().run(&[]);
    assert_eq!(ended.status, 2, "{ended:?}");
    assert!(ended.err.contains("no sources"), "{ended:?}");
}

#[test]
fn a_store_that_cannot_be_opened_is_said_clearly() {
    let headwater = Headwater::new();
    headwater.write("store.db", "this is no database, and long enough to be seen as none");
    let ended = headwater.run(&["https://a.example/", "--json"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert_eq!(ended.json()["error"]["code"], "store");
}

#[test]
fn a_place_that_cannot_be_written_is_noticed_before_the_work() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let ended = headwater.run(&[&site.url("/"), "--out", "none/digest.html"]);
    assert_eq!(ended.status, 1, "{ended:?}");
    assert!(site.take_requests().is_empty());
    assert_eq!(paths(&headwater.digest(&[&site.url("/")])).len(), 3, "nothing was remembered");
}

#[test]
fn a_secret_in_a_url_is_used_and_never_shown() {
    let (headwater, site) = (Headwater::new(), site());
    let secret = "0123456789abcdef0123456789abcdef";
    let path = format!("/feed?passkey={secret}");
    site.set(&path, rss(&items(&site, &[1, 2, 3])));
    let ended = headwater.run(&[&site.url(&path), "--json", "--log", "trace"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    assert_eq!(paths(&ended.json()).len(), 3);
    let store = std::fs::read(headwater.path("store.db")).unwrap();
    for shown in [ended.out.as_bytes(), ended.err.as_bytes(), &store] {
        assert!(!String::from_utf8_lossy(shown).contains(secret));
    }
}
