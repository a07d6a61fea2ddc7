//! Tests of the search for a lead.

use super::*;

const LEAD: &str = "The committee kept the rate at four percent on Thursday, and will meet again.";

fn find(html: &str) -> Option<String> {
    lead(&crate::tree::build(&format!("<section><h1>A title</h1>{html}</section>")).expect("a small page"))
}

#[test]
fn finds_the_lead_of_a_header() {
    for html in [
        format!("<header><p class=standfirst>{LEAD}</p></header>"),
        format!("<div class=teaser-text itemprop=description><p>{LEAD}</p></div>"),
    ] {
        assert_eq!(find(&html).as_deref(), Some(LEAD), "of {html}");
    }
}

#[test]
fn leaves_the_leads_of_other_stories() {
    for html in [
        format!("<li><p class=intro>{LEAD}</p></li>"),
        format!("<a href=x><p class=intro>{LEAD}</p></a>"),
        "<p class=intro>Short.</p>".to_owned(),
        format!("<p>{LEAD}</p>"),
    ] {
        assert_eq!(find(&html), None, "of {html}");
    }
}

#[test]
fn knows_a_text_that_has_it() {
    assert!(is_in(&format!("Before. {}", LEAD.to_uppercase()), LEAD));
    assert!(!is_in("Something else.", LEAD));
}
