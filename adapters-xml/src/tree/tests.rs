//! What `tree` is held to.

use std::fs;
use std::path::Path;

use proptest::prelude::*;

use super::agreement::Agreement;
use super::{Child, Element, Ending, TreeElement, build};
use crate::scan::{Flaw, Size};
use crate::space::Space;

/// The text is sound, and another reader sees the same in it.
#[track_caller]
fn sound(text: &str) {
    let tree = build(text, Size::default(), Ending::Closed).unwrap_or_else(|flaw| panic!("{flaw}: {text}"));
    Agreement::of(&tree, text);
}

#[track_caller]
fn broken(text: &str, expected: Flaw) {
    assert_eq!(build(text, Size::default(), Ending::Closed).err(), Some(expected), "{text}");
}

#[test]
fn elements_attributes_and_text() {
    sound("<a b='1' c = \"2'\"><!-- x --><b/>text<?p x?><c>1<![CDATA[<2>]]>&lt;3</c>\r\n</a>");
    sound("<été ключ='значение'>日本</été>");
    sound("<a.b-c_d/>");
    sound("<a b='&lt;&#10;\r\n\t x'>\r\r\n&#13;&#x1F600;&amp;amp;</a>");
    sound("<a><![CDATA[\r\n]]]]><![CDATA[>]]></a>");
    sound("<a>a > b ]] ></a>");
}

#[test]
fn namespaces_have_their_scope() {
    sound("<a xmlns='u' xmlns:p='v'><p:b p:c='1' c='2'/><b xmlns=''/><b xmlns='w'><c/></b><c/></a>");
    sound("<a xmlns:p='v'><b xmlns:p='w'><p:c/></b><p:c/></a>");
    sound("<a xml:base='x' xmlns:xml='http://www.w3.org/XML/1998/namespace'/>");
    broken("<p:a/>", Flaw::BadNamespace);
    broken("<a><b xmlns:p='v'/><p:c/></a>", Flaw::BadNamespace);
    broken("<a p:b='1'/>", Flaw::BadNamespace);
    broken("<a xmlns:p='v' xmlns:p='w'/>", Flaw::BadNamespace);
    broken("<a xmlns:xml='v'/>", Flaw::BadNamespace);
    broken("<a xmlns:p='http://www.w3.org/2000/xmlns/'/>", Flaw::BadNamespace);
    broken("<a xmlns:p='v' xmlns:q='v' p:b='1' q:b='2'/>", Flaw::BadAttribute);
}

#[test]
fn what_is_not_sound_is_said() {
    for text in ["<a b/>", "<a b=c/>", "<a b='1'c='2'/>", "<a b='<'/>", "<a b='1' b='2'/>", "<a =''/>", "<a / >"] {
        assert!(build(text, Size::default(), Ending::Closed).is_err(), "{text}");
    }
    broken("<a>&nbsp;</a>", Flaw::BadReference);
    for text in ["<a>&</a>", "<a>&#0;</a>", "<a>&#xD800;</a>", "<a>&#;</a>", "<a>&#x110000;</a>", "<a b='&x'/>"] {
        broken(text, Flaw::BadReference);
    }
    broken("<a>\u{1}</a>", Flaw::BadCharacter);
    broken("<a b='\u{FFFF}'/>", Flaw::BadCharacter);
    for text in ["<a><b></a></b>", "<a></A>", "<a></b>"] {
        broken(text, Flaw::BadNesting);
    }
    for text in ["<a>]]></a>", "<a><!-- -- --></a>", "<a/>x", "<a/><a/>", "<a><?xml version='1.0'?></a>", "x"] {
        broken(text, Flaw::StrayMarkup);
    }
    for text in ["<a:b:c xmlns:a='x'/>", "<a!b/>", "<-a/>", "<a ×='1'/>"] {
        assert!(build(text, Size::default(), Ending::Closed).is_err(), "{text}");
    }
    broken("<a><b>", Flaw::EndsEarly);
    broken(" ", Flaw::NoRoot);
}

#[test]
fn a_text_that_was_cut_has_its_open_elements_closed() {
    let tree = build("<a><b><c/></b><d>", Size::default(), Ending::Open).expect("it is sound so far");
    let root = TreeElement::root(&tree);
    let names: Vec<&str> = root.elements().map(Element::name).collect();
    assert_eq!(names, ["b", "d"]);
}

#[test]
fn an_unknown_namespace_means_what_its_prefix_is_customary_for() {
    let text = "<feed xmlns='urn:own' xmlns:media='urn:other'><media:content/><title/><x xmlns='urn:own'/></feed>";
    let tree = build(text, Size::default(), Ending::Closed).expect("it is sound");
    let root = TreeElement::root(&tree);
    let spaces: Vec<Space> = root.elements().map(Element::space).collect();
    assert_eq!((root.space(), spaces.as_slice()), (Space::Core, &[Space::Media, Space::Core, Space::Core][..]));
}

#[test]
fn text_is_borrowed_where_nothing_is_encoded() {
    let tree = build("<a>x<b/>&gt;</a>", Size::default(), Ending::Closed).expect("it is sound");
    let texts: Vec<bool> = TreeElement::root(&tree)
        .children()
        .filter_map(|child| match child {
            Child::Text(text) => Some(matches!(text, std::borrow::Cow::Borrowed(_))),
            Child::Element(_) => None,
        })
        .collect();
    assert_eq!(texts, [true, false]);
}

/// Every sound document among the fixtures is seen as another reader sees it, and is sound to that one alone if to us.
#[test]
fn the_fixtures_are_seen_as_by_another_reader() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/feeds");
    let mut compared = 0;
    for entry in fs::read_dir(folder).expect("the folder of feeds") {
        let Ok(text) = fs::read_to_string(entry.expect("an entry").path()) else { continue };
        let Some(root) = crate::repair::find_root(&text).ok().flatten() else { continue };
        let text = text[root.at..].trim_end();
        let ours = build(text, Size::default(), Ending::Closed);
        assert_eq!(ours.is_ok(), roxmltree::Document::parse(text).is_ok(), "{ours:?}: {text}");
        if let Ok(tree) = ours {
            Agreement::of(&tree, text);
            compared += 1;
        }
    }
    assert!(compared >= 20, "only {compared} documents are sound");
}

/// Pieces that put together are now and then a document, and always nearly one.
fn piece() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "<a>",
        "</a>",
        "<b:c>",
        "</b:c>",
        "<d xmlns:b='u'>",
        "</d>",
        "<e/>",
        "<f b:g=\"1\" g='&amp;'/>",
        "text",
        "&lt;",
        "&#13;",
        "\r\n",
        "\r",
        "]]",
        ">",
        "<![CDATA[",
        "]]>",
        "<!--",
        "-->",
        "<?p q?>",
        "&",
        "é",
        " ",
        "<a xmlns='v' h='\n'>",
    ])
}

proptest! {
    #[test]
    fn whatever_is_sound_to_us_is_sound_and_the_same_to_another_reader(pieces in prop::collection::vec(piece(), 0..12)) {
        for text in [pieces.concat(), format!("<r xmlns:b='w'>{}</r>", pieces.concat())] {
            if let Ok(tree) = build(&text, Size::default(), Ending::Closed) {
                Agreement::of(&tree, &text);
            }
        }
    }
}
