//! Does every block and every property become the Markdown that a person has looked at?
//!
//! Each pair in `fixtures/notion` is a page or a database, and what becomes of it. `UPDATE=1` writes the Markdown anew.

use std::fs;
use std::path::{Path, PathBuf};

use headwater_tests::stand_in::notion::{Place, World};
use serde_json::Value;

use super::kit::Kit;

#[tokio::test]
async fn every_fixture_becomes_its_markdown() {
    let fixtures = fixtures();
    assert!(fixtures.len() >= 6, "the fixtures are where they should be");
    let mut wrong = Vec::new();
    for fixture in fixtures {
        let expected = fixture.with_extension("md");
        let written = written(&fixture).await;
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&expected, &written).unwrap();
        } else if fs::read_to_string(&expected).unwrap_or_default() != written {
            wrong.push(format!("{} is now:\n{written}", expected.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_type_of_block_and_property_has_a_fixture() {
    let all: String = fixtures().iter().map(|path| fs::read_to_string(path).unwrap()).collect();
    for kind in BLOCKS.iter().chain(&PROPERTIES).chain(&MENTIONS) {
        let named = [format!("\"type\": \"{kind}\""), format!("\"type\":\"{kind}\"")];
        assert!(named.iter().any(|words| all.contains(words)), "no fixture has a {kind}");
    }
}

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/notion");
    let files = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("it can be read").path());
    let mut fixtures: Vec<_> = files.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect();
    fixtures.sort();
    fixtures
}

/// All documents of a fixture, one after the other.
async fn written(fixture: &Path) -> String {
    let given: Value = serde_json::from_str(&fs::read_to_string(fixture).expect("it can be read")).expect("it is JSON");
    let mut kit = Kit::new().await;
    let root = build(&mut kit.server.world(), &given);
    kit.sync(&[&root]).await.expect("nothing goes wrong").assert_success();
    let mut out = String::new();
    for id in &kit.knowledge_base.emitted {
        let item = &kit.knowledge_base.documents[id];
        out.push_str(&format!("<!-- {} {}", item.file_name, item.content_type));
        for (name, value) in item.metadata.iter().filter(|(name, _)| name.as_str() != "created_at") {
            out.push_str(&format!(" | {name}: {value}"));
        }
        out.push_str(" -->\n\n");
        if item.content_type == "text/markdown" {
            out.push_str(&kit.text(id));
            out.push('\n');
        }
    }
    out
}

fn build(world: &mut World, given: &Value) -> String {
    world.add_page_as("1a2b3c4d-0000-4000-8000-000000000005", &Place::Workspace, "Rotate [the] keys");
    for (name, kind) in [
        ("chart.png", "image/png"),
        ("plan.pdf", "application/pdf"),
        ("talk.mp4", "video/mp4"),
        ("song.mp3", "audio/mpeg"),
        ("data.csv", "text/csv"),
    ] {
        world.keep_file(name, kind, b"bytes");
    }
    let title = given["title"].as_str().expect("it has a title");
    if given["rows"].is_null() {
        let page = world.add_page(&Place::Workspace, title);
        world.set_blocks(&page, given["blocks"].as_array().expect("it is a list"));
        return page;
    }
    let [database, source] = world.add_database(&Place::Workspace, title, given["schema"].clone());
    for row in given["rows"].as_array().expect("it is a list") {
        let id = world.add_row(&source, row["title"].as_str().expect("it has a title"), row["properties"].clone());
        world.set_blocks(&id, row["blocks"].as_array().unwrap_or(&Vec::new()));
    }
    database
}

const BLOCKS: [&str; 37] = [
    "paragraph",
    "heading_1",
    "heading_2",
    "heading_3",
    "heading_4",
    "bulleted_list_item",
    "numbered_list_item",
    "to_do",
    "toggle",
    "quote",
    "callout",
    "code",
    "equation",
    "divider",
    "breadcrumb",
    "table_of_contents",
    "column_list",
    "column",
    "tab",
    "table",
    "table_row",
    "image",
    "video",
    "pdf",
    "audio",
    "file",
    "bookmark",
    "embed",
    "link_preview",
    "link_to_page",
    "child_page",
    "synced_block",
    "template",
    "meeting_notes",
    "transcription",
    "unsupported",
    "child_database",
];

const PROPERTIES: [&str; 22] = [
    "rich_text",
    "number",
    "select",
    "status",
    "multi_select",
    "date",
    "people",
    "files",
    "checkbox",
    "url",
    "email",
    "phone_number",
    "formula",
    "relation",
    "rollup",
    "created_time",
    "last_edited_time",
    "created_by",
    "last_edited_by",
    "unique_id",
    "verification",
    "place",
];

const MENTIONS: [&str; 8] =
    ["user", "page", "database", "link_preview", "link_mention", "template_mention", "custom_emoji", "mention"];
