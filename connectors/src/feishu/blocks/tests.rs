//! Every kind of block has its Markdown.

use serde_json::{Value, json};

use super::{Blocks, EmbeddedKind, Found};

/// A document of these blocks; each has its id, its type, what it holds and the ids of its children.
fn blocks(blocks: &[(&str, u32, Value, &[&str])]) -> Blocks {
    let as_sent = blocks.iter().map(|(id, kind, content, children)| {
        let mut block = json!({"block_id": id, "block_type": kind, "parent_id": "", "children": children});
        let fields = content.as_object().expect("the content is an object");
        fields.iter().for_each(|(key, value)| block[key] = value.clone());
        serde_json::from_value(block).expect("a block")
    });
    Blocks::new(as_sent.collect())
}

fn text(content: &str) -> Value {
    json!({"style": {}, "elements": [{"text_run": {"content": content, "text_element_style": {}}}]})
}

fn styled(content: &str, style: Value) -> Value {
    json!({"style": {}, "elements": [{"text_run": {"content": content, "text_element_style": style}}]})
}

#[track_caller]
fn check(document: &Blocks, expected: &str) {
    assert_eq!(document.render(&Found::new()).markdown, expected);
}

#[test]
fn headings_paragraphs_and_rules() {
    let document = blocks(&[
        ("d", 1, json!({"page": text("Title")}), &["a", "b", "c", "e"]),
        ("a", 3, json!({"heading1": text("One")}), &[]),
        ("b", 11, json!({"heading9": text("Nine")}), &[]),
        ("c", 2, json!({"text": text("# no heading, a * and [x]")}), &[]),
        ("e", 22, json!({"divider": {}}), &[]),
    ]);
    check(&document, "# One\n\n###### Nine\n\n\\# no heading, a \\* and \\[x\\]\n\n---\n");
}

#[test]
fn lists_nest_and_keep_their_numbers_and_states() {
    let document = blocks(&[
        ("d", 1, json!({}), &["a", "b", "c", "e", "f", "g"]),
        ("a", 12, json!({"bullet": text("bullet")}), &["a1"]),
        ("a1", 12, json!({"bullet": text("below")}), &["a2"]),
        ("a2", 2, json!({"text": text("its paragraph")}), &[]),
        ("b", 13, json!({"ordered": {"style": {"sequence": "3"}, "elements": text("third")["elements"]}}), &[]),
        ("c", 13, json!({"ordered": {"style": {"sequence": "auto"}, "elements": text("fourth")["elements"]}}), &["c1"]),
        ("c1", 13, json!({"ordered": text("first of its own")}), &[]),
        ("e", 17, json!({"todo": {"style": {"done": true}, "elements": text("done")["elements"]}}), &[]),
        ("f", 17, json!({"todo": {"style": {"done": false}, "elements": text("open")["elements"]}}), &[]),
        ("g", 2, json!({"text": text("after")}), &[]),
    ]);
    check(
        &document,
        "- bullet\n  - below\n\n    its paragraph\n\n3. third\n4. fourth\n   1. first of its own\n- [x] done\n- [ ] open\n\nafter\n",
    );
}

#[test]
fn code_quotations_and_callouts() {
    let code = json!({"code": {"style": {"language": 49}, "elements": text("print(\"```\")\n")["elements"]}});
    let document = blocks(&[
        ("d", 1, json!({}), &["a", "b", "c", "e"]),
        ("a", 14, code, &[]),
        ("b", 15, json!({"quote": text("said\nso")}), &[]),
        ("c", 19, json!({"callout": {"emoji_id": "bulb"}}), &["c1", "c2"]),
        ("c1", 2, json!({"text": text("first")}), &[]),
        ("c2", 12, json!({"bullet": text("item")}), &[]),
        ("e", 34, json!({"quote_container": {}}), &["e1"]),
        ("e1", 2, json!({"text": text("held")}), &[]),
    ]);
    check(&document, "````python\nprint(\"```\")\n````\n\n> said\n> so\n>\n> first\n>\n> - item\n>\n> held\n");
}

#[test]
fn styles_links_and_mentions() {
    let document = blocks(&[
        ("d", 1, json!({}), &["a", "b", "c"]),
        (
            "a",
            2,
            json!({"text": styled("bold and more ", json!({"bold": true, "italic": true, "strikethrough": true}))}),
            &[],
        ),
        (
            "b",
            2,
            json!({"text": styled("here", json!({"link": {"url": "https%3A%2F%2Fe.example%2Fa%3Fb%3D1"}, "inline_code": true}))}),
            &[],
        ),
        (
            "c",
            2,
            json!({"text": {"elements": [
                {"mention_user": {"user_id": "ou_1"}}, {"equation": {"content": "x^2\n"}},
                {"mention_doc": {"title": "Plan", "url": "https%3A%2F%2Fe.example%2Fwiki%2Fw"}},
                {"text_run": {"content": "bad", "text_element_style": {"link": {"url": "javascript%3Aalert(1)"}}}},
                {"reminder": {"expire_time": "1711900800000"}}]}}),
            &[],
        ),
    ]);
    check(
        &document,
        "***~~bold and more~~***\n\n[`here`](https://e.example/a?b=1)\n\n\
         @ou_1$x^2$[Plan](https://e.example/wiki/w)bad2024-03-31\n",
    );
}

#[test]
fn tables_keep_every_cell() {
    let table = json!({"table": {"cells": ["c1", "c2", "c3", "c4"], "property": {"row_size": 2, "column_size": 2,
        "merge_info": [{"row_span": 1, "col_span": 2}]}}});
    let document = blocks(&[
        ("d", 1, json!({}), &["t", "after"]),
        ("t", 31, table, &["c1", "c2", "c3", "c4"]),
        ("c1", 32, json!({"table_cell": {}}), &["x1"]),
        ("c2", 32, json!({"table_cell": {}}), &[]),
        ("c3", 32, json!({"table_cell": {}}), &["x2", "x3"]),
        ("c4", 32, json!({"table_cell": {}}), &["x4"]),
        ("x1", 2, json!({"text": text("head")}), &[]),
        ("x2", 2, json!({"text": text("one|two")}), &[]),
        ("x3", 12, json!({"bullet": text("item")}), &[]),
        ("x4", 14, json!({"code": text("f()")}), &[]),
        ("after", 2, json!({"text": text("after")}), &[]),
    ]);
    check(&document, "| head |  |\n| --- | --- |\n| one\\|two<br>item | `f()` |\n\nafter\n");
}

#[test]
fn what_is_embedded_is_shown_where_it_stands() {
    let document = blocks(&[
        ("d", 1, json!({}), &["i", "v", "s", "b", "m"]),
        ("i", 27, json!({"image": {"token": "img", "width": 1}}), &[]),
        ("v", 33, json!({"view": {"view_type": 1}}), &["f"]),
        ("f", 23, json!({"file": {"token": "fil", "name": "a b.pdf"}}), &[]),
        ("s", 30, json!({"sheet": {"token": "sht_1"}}), &[]),
        ("b", 18, json!({"bitable": {"token": "app_tbl", "view_type": 1}}), &[]),
        ("m", 29, json!({"mindnote": {"token": "mnd"}}), &[]),
    ]);
    let kinds: Vec<_> = document.embedded().into_iter().map(|thing| (thing.kind, thing.token)).collect();
    let expected = [
        (EmbeddedKind::Image, "img"),
        (EmbeddedKind::File, "fil"),
        (EmbeddedKind::Sheet, "sht_1"),
        (EmbeddedKind::Bitable, "app_tbl"),
    ];
    assert_eq!(kinds, expected.map(|(kind, token)| (kind, token.to_owned())));
    let found = [("img", "image-img.png"), ("fil", "a b-fil.pdf"), ("sht_1", "| a |\n| --- |")];
    let found = found.into_iter().map(|(token, shown)| (token.to_owned(), shown.to_owned())).collect();
    let rendered = document.render(&found);
    assert_eq!(
        rendered.markdown,
        "![](image-img.png)\n\n[a b.pdf](a%20b-fil.pdf)\n\n| a |\n| --- |\n\n\
         *[database not shown here]*\n\n*[mind map not shown here]*\n"
    );
    assert_eq!(rendered.unsupported, 1);
}

#[test]
fn columns_and_synced_blocks_are_read_through() {
    let document = blocks(&[
        ("d", 1, json!({}), &["g", "y", "w"]),
        ("g", 24, json!({"grid": {"column_size": 2}}), &["g1", "g2"]),
        ("g1", 25, json!({"grid_column": {}}), &["l"]),
        ("g2", 25, json!({"grid_column": {}}), &["r"]),
        ("l", 2, json!({"text": text("left")}), &[]),
        ("r", 2, json!({"text": text("right")}), &[]),
        ("y", 49, json!({"source_synced": {}}), &["z"]),
        ("z", 2, json!({"text": text("synced")}), &[]),
        ("w", 26, json!({"iframe": {"component": {"iframe_type": 1, "url": "https%3A%2F%2Fe.example%2Fv"}}}), &[]),
    ]);
    check(&document, "left\n\nright\n\nsynced\n\n<https://e.example/v>\n");
}

#[test]
fn circles_and_depth_end() {
    let circle = blocks(&[
        ("d", 1, json!({}), &["a"]),
        ("a", 12, json!({"bullet": text("a")}), &["b"]),
        ("b", 12, json!({"bullet": text("b")}), &["a", "d"]),
    ]);
    check(&circle, "- a\n  - b\n");
    let ids: Vec<String> = (0..5000).map(|number| format!("n{number}")).collect();
    let below: Vec<[&str; 1]> = ids.iter().skip(1).map(|id| [id.as_str()]).collect();
    let mut deep: Vec<(&str, u32, Value, &[&str])> = vec![("d", 1, json!({}), &["n0"])];
    for (number, id) in ids.iter().enumerate() {
        let children: &[&str] = below.get(number).map_or(&[], |ids| ids.as_slice());
        deep.push((id, 12, json!({"bullet": text("x")}), children));
    }
    let markdown = blocks(&deep).render(&Found::new()).markdown;
    assert_eq!(markdown.lines().count(), 5000);
    assert!(markdown.len() < 5000 * 80);
}
