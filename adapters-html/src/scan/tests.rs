//! Tests of the tokeniser.

use super::*;

fn render(source: &str) -> String {
    let mut out = String::new();
    for token in Scanner::new(source) {
        match token {
            Token::Start(tag) => {
                out.push_str(&format!("[{}", tag.name));
                for attribute in tag.attributes.iter() {
                    out.push_str(&format!(" {}={}", attribute.name, attribute.value()));
                }
                out.push(']');
            }
            Token::End(name) => out.push_str(&format!("[/{name}]")),
            Token::Text(text) => out.push_str(text),
            Token::Raw(text) => out.push_str(&format!("{{{text}}}")),
        }
    }
    out
}

#[track_caller]
fn check(source: &str, expected: &str) {
    assert_eq!(render(source), expected, "of {source:?}");
}

#[test]
fn reads_tags_and_attributes() {
    check("<P Class=x ID='y z' hidden>a</P >", "[p class=x id=y z hidden=]a[/p]");
    check("<a href=/b/c?x=1&amp;y=2>", "[a href=/b/c?x=1&y=2]");
    check("<img/src=x/alt='>'>", "[img src=x/alt=']'>");
    check("<a href = \"b\" c>", "[a href=b c=]");
    check("<a =b>", "[a =b=]");
}

#[test]
fn reads_what_is_no_markup_as_text() {
    check("1 < 2 <3 <", "1 < 2 <3 <");
    check("a<", "a<");
}

#[test]
fn leaves_out_comments_and_declarations() {
    check("a<!-- <b> -- > -->c<!doctype html>d<?php x ?>e</ x>f<!-->g<!--->h", "acdefgh");
    check("a<!-- open", "a");
    check("<![CDATA[x]]>", "x]]>");
}

#[test]
fn takes_the_content_of_raw_elements_as_it_stands() {
    check("<script>if (a<b) '</p>'</SCRIPT >c", "[script]{if (a<b) '</p>'}[/script]c");
    check("<title>a <b> &amp;</title>c", "[title]a <b> &amp;[/title]c");
    check("<style></style>", "[style][/style]");
    check("<script>open </scriptx>", "[script]{open </scriptx>}");
}

#[test]
fn drops_a_tag_that_never_ends() {
    check("a<b c='", "a");
    check("a</b ", "a[/b]");
    check("a<b c", "a");
}

#[test]
fn reads_a_bounded_number_of_attributes() {
    let source = format!("<a {}>", "x ".repeat(1000));
    let Some(Token::Start(tag)) = Scanner::new(&source).next() else { panic!("no tag") };
    assert_eq!(tag.attributes.iter().count(), attributes::MAX_ATTRIBUTES);
}

#[test]
fn keeps_to_character_boundaries() {
    check("é<é>ü</é>", "é<é>ü");
    check("<a é=ß>日本</a>", "[a é=ß]日本[/a]");
}

#[test]
fn knows_that_drawings_have_titles_of_their_own() {
    check("<svg><title/><path/></svg><p>a", "[svg][title][path][/svg][p]a");
    check("<svg><title>a<b></title></svg>", "[svg][title]a[b][/title][/svg]");
    check("<svg><p><title>a<b></title>", "[svg][p][title]a<b>[/title]");
}
