//! Tests of the reading of articles, on pages as they are found.

use url::Url;

use super::*;

fn read(html: &str) -> Result<PageArticle> {
    let url = Url::parse("https://example.org/news/1").unwrap();
    article(&PageInput { bytes: html.as_bytes(), url: &url, content_type: None, headers: None })
}

#[track_caller]
fn kind(html: &str) -> ErrorKind {
    read(html).expect_err("no article").kind
}

const FIRST: &str = "The committee kept the rate at four percent on Thursday, as most observers had expected it to do.";
const SECOND: &str =
    "It will meet again in June, the chair said, and look at the figures of the spring before it decides.";

fn page(around: &str) -> String {
    format!(
        "<html lang=en><head><title>Rate unchanged</title></head><body>{around}<main><article><h1>Rate unchanged</h1>\
         <p>{FIRST}</p><p>{SECOND}</p></article></main></body></html>"
    )
}

#[test]
fn reads_an_article_with_its_metadata() {
    let found = read(&page("<meta property=og:site_name content=Courier>")).unwrap();
    assert_eq!(found.title.as_deref(), Some("Rate unchanged"));
    assert_eq!(found.language.as_deref(), Some("en"));
    assert!(found.content_html.contains(&format!("<p>{FIRST}</p><p>{SECOND}</p>")));
    assert_eq!(found.content_markdown, format!("{FIRST}\n\n{SECOND}"));
    assert_eq!(found.text_length, FIRST.chars().count() + SECOND.chars().count() + 1);
}

#[test]
fn is_not_led_astray_by_a_long_dialog() {
    let purpose = "<p>We and our partners store and access information on a device to measure the service you use.</p>";
    let dialog = format!("<div id=cookie-consent class='modal gdpr'><h2>Privacy</h2>{}</div>", purpose.repeat(10));
    let found = read(&page(&dialog)).unwrap();
    assert!(found.content_html.contains(FIRST) && !found.content_html.contains("partners"));
}

#[test]
fn knows_pages_without_an_article() {
    assert_eq!(kind(""), ErrorKind::NoReadableContent);
    assert_eq!(
        kind(
            "<title>App</title><noscript>You need to enable JavaScript to run this app.</noscript><div id=root></div><script src=a></script>"
        ),
        ErrorKind::NoReadableContent
    );
    assert_eq!(
        kind(&page("").replace("</article>", "<p>Subscribe to continue reading.</p></article>")),
        ErrorKind::NoReadableContent
    );
    assert_eq!(kind(&"x".repeat(6 * 1024 * 1024)), ErrorKind::BodyTooLarge);
}

#[test]
fn takes_the_text_of_structured_data_where_scripts_would_show_it() {
    let body = format!("{FIRST}\\n\\n{SECOND} ").repeat(4);
    let json = format!(r#"{{"@type":"NewsArticle","headline":"H","articleBody":"{body}"}}"#);
    let found = read(&format!("<script type=application/ld+json>{json}</script><div id=root></div>")).unwrap();
    assert!(found.content_html.starts_with(&format!("<p>{FIRST}</p>")));
    assert_eq!(found.title.as_deref(), Some("H"));
}

#[test]
fn survives_hostile_pages() {
    let formatting: String = (0..300).map(|n| format!("<b id={n}>")).collect();
    for body in [
        "<div>".repeat(5_000),
        "<ul><li>".repeat(3_000),
        format!("<div>{formatting}</div>{}", "<div>x</div>".repeat(2_000)),
        format!("<p {}>x", "y ".repeat(20_000)),
        "<table><tr><td>".repeat(1_000),
        "<svg><title/>".repeat(2_000),
        "<p><a href=x>y".repeat(2_000),
    ] {
        let html = page(&body);
        if let Ok(found) = read(&html) {
            assert!(found.content_html.len() < html.len() * 4);
        }
    }
}
