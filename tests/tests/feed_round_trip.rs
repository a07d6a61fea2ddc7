//! Whether a feed that is written and parsed is the feed that it was, in every format.

#[path = "feed_round_trip/atom.rs"]
mod atom;
#[path = "feed_round_trip/json.rs"]
mod json;
#[path = "feed_round_trip/markup.rs"]
mod markup;
#[path = "feed_round_trip/model.rs"]
mod model;
#[path = "feed_round_trip/rss.rs"]
mod rss;

use headwater_adapters_json::JsonFeedParser;
use headwater_adapters_xml::XmlFeedParser;
use headwater_domain::feed::{FeedDocument, FeedFormat};
use headwater_ports::{FeedInput, FeedParser};
use proptest::prelude::*;

/// Parses what was written of a document as if it had been fetched from [`model::RETRIEVED`].
fn parsed(parser: &dyn FeedParser, text: &str) -> FeedDocument {
    let retrieved = model::url(model::RETRIEVED);
    let input = FeedInput { base_url: Some(&retrieved), ..FeedInput::new(text.as_bytes()) };
    assert!(parser.recognises(&input), "{text}");
    parser.parse(&input).unwrap_or_else(|error| panic!("{error}: {text}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn rss_gives_back_what_was_written(document in model::document(FeedFormat::Rss20)) {
        let text = rss::write(&document);
        prop_assert_eq!(parsed(&XmlFeedParser, &text), document, "{}", text);
    }

    #[test]
    fn atom_gives_back_what_was_written(document in model::document(FeedFormat::Atom10)) {
        let text = atom::write(&document);
        prop_assert_eq!(parsed(&XmlFeedParser, &text), document, "{}", text);
    }

    #[test]
    fn json_gives_back_what_was_written(document in model::document(FeedFormat::Json11)) {
        let text = json::write(&document);
        prop_assert_eq!(parsed(&JsonFeedParser, &text), document, "{}", text);
    }
}
