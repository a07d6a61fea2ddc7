//! What a run prints and writes: four forms, a file that is whole, topics with reasons.

use crate::kit::{Headwater, article, item, items, rss, site};

#[test]
fn every_form_shows_the_articles() {
    let site = site();
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    for (form, beginning) in
        [("text", "Headwater digest, "), ("markdown", "# Digest of "), ("html", "<!DOCTYPE html>"), ("json", "{")]
    {
        let ended = Headwater::new().run(&[&site.url("/"), "--format", form]);
        assert_eq!(ended.status, 0, "{ended:?}");
        assert!(ended.out.starts_with(beginning), "{form}: {}", ended.out);
        assert!(ended.out.contains("Item 1") && ended.out.contains(&site.url("/1")), "{form}: {}", ended.out);
    }
}

#[test]
fn the_file_has_the_form_of_its_ending_and_standard_output_stays_empty() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    headwater.write("digest.html", "old");
    let ended = headwater.run(&[&site.url("/"), "--out", "digest.html"]);
    assert_eq!((ended.status, ended.out.as_str()), (0, ""), "{ended:?}");
    let page = std::fs::read_to_string(headwater.path("digest.html")).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"), "{page}");
    let left: Vec<_> = std::fs::read_dir(headwater.path("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().ends_with(".part")), "{left:?}");
}

#[test]
fn progress_is_plain_lines_on_standard_error_where_there_is_no_terminal() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let ended = headwater.run(&[&site.url("/"), "--json"]);
    assert!(ended.err.contains("[1/1] ") && ended.err.contains("3 links from its feed"), "{ended:?}");
    assert!(!ended.err.contains('\u{1b}') && !ended.err.contains('\r'), "{ended:?}");
    ended.json();
}

#[test]
fn topics_decide_what_is_kept_and_say_why() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/solar", article("Solar power on every roof"));
    site.set("/grid", article("The grid at night"));
    let items = [item("/solar", ""), item("/grid", ""), item("/1", ""), item("/2", "")]
        .map(|item| item.replace("<title>Item ", "<title>"));
    site.set("/", rss(&items));
    headwater.write(
        "topics.toml",
        "[[topic]]\nname = \"Energy\"\nterms = [\"solar power\", \"grid\"]\nquota = 1\n[[topic]]\nname = \"Whales\"\nterms = [\"whale\"]\n",
    );
    let digest = headwater.digest(&[&site.url("/"), "--topics", "topics.toml"]);
    assert_eq!(digest["articles"].as_array().unwrap().len(), 1, "{digest}");
    assert_eq!(digest["articles"][0]["topic"], "Energy");
    assert!(digest["articles"][0]["reason"].as_str().unwrap().contains("“"), "{digest}");
    assert_eq!(digest["unmet_topics"], serde_json::json!(["Whales"]));
    assert_eq!(digest["counts"]["classified"], 4);
}

#[test]
fn a_list_of_sources_says_which_are_read_first() {
    let (headwater, first, second) = (Headwater::new(), site(), site());
    first.set("/", rss(&items(&first, &[1, 2, 3])));
    second.set("/", rss(&items(&second, &[4, 5, 6])));
    let list = format!(
        "[[source]]\nurl = \"{}\"\n[[source]]\nurl = \"{}\"\ntitle = \"Second\"\npreferred = true\n",
        first.url("/"),
        second.url("/")
    );
    headwater.write("sources.toml", list);
    let digest = headwater.digest(&["--sources", "sources.toml"]);
    assert_eq!(digest["sources"][0]["title"], "Second");
    assert_eq!(digest["sources"][1]["url"], first.url("/"));
    let again = headwater.digest(&[&first.url("/"), &second.url("/")]);
    assert_eq!(again["sources"][0]["url"], second.url("/"), "a preferred source stays one");
}

#[test]
fn a_list_in_opml_is_read_too() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/feed", rss(&items(&site, &[1, 2, 3])));
    let list = format!(
        "<opml version='2.0'><body><outline text='News'><outline text='A' type='rss' xmlUrl='{}'/></outline></body></opml>",
        site.url("/feed")
    );
    headwater.write("list.opml", list);
    let digest = headwater.digest(&["--sources", "list.opml"]);
    assert_eq!(digest["counts"]["kept"], 3, "{digest}");
}

#[test]
fn what_standard_output_is_to_hold_is_said_once() {
    let ended = Headwater::new().run(&["https://a.example/", "--json", "--format", "html"]);
    assert_eq!(ended.status, 2, "{ended:?}");
}

#[test]
fn a_feed_reader_can_subscribe_to_the_digest() {
    let (headwater, site) = (Headwater::new(), site());
    site.set("/", rss(&items(&site, &[1, 2, 3])));
    let ended = headwater.run(&[&site.url("/"), "--format", "atom"]);
    assert_eq!(ended.status, 0, "{ended:?}");
    site.set("/digest", headwater_tests::site::Answer::of("application/atom+xml", ended.out));
    let reading = Headwater::new().digest(&[&site.url("/digest")]);
    assert_eq!(reading["sources"][0]["outcome"], "feed");
    assert_eq!(crate::kit::paths(&reading), ["/1", "/2", "/3"]);
}
