//! How the stand-in of Feishu gives the content of documents: exports, files, blocks, sheets and databases.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::answer::{error, ok, page};
use super::world::World;
use crate::server::Reply;

/// The answer to a request for content.
pub(super) fn route(
    world: &mut World,
    method: &str,
    path: &[&str],
    query: &HashMap<String, String>,
    body: &Value,
) -> Option<Reply> {
    Some(match (method, path) {
        ("POST", ["drive", "v1", "export_tasks"]) => begin_export(world, body),
        ("GET", ["drive", "v1", "export_tasks", "file", token, "download"]) => exported(world, token),
        ("GET", ["drive", "v1", "export_tasks", ticket]) => look_at_export(world, ticket, query),
        ("GET", ["drive", "v1", "files", token, "download"]) => match world.text_of(token) {
            Some(text) => file(text.as_bytes(), "application/octet-stream"),
            None => error(404, 1_061_003, "not found."),
        },
        ("GET", ["drive", "v1", "medias", token, "download"]) => match world.media.get(*token) {
            Some(bytes) => file(bytes, "application/octet-stream"),
            None => error(404, 1_061_003, "not found."),
        },
        ("GET", ["docx", "v1", "documents", token, "raw_content"]) => match world.text_of(token) {
            Some(text) => ok(json!({"content": text})),
            None => error(404, 1_770_002, "not found"),
        },
        ("GET", ["docx", "v1", "documents", token, "blocks"]) => match world.blocks_of(token) {
            Some(blocks) => ok(page(world, blocks, query, "items", "page_token")),
            None => error(404, 1_770_002, "not found"),
        },
        ("GET", ["sheets", "v2", "spreadsheets", spreadsheet, "values", sheet]) => {
            match world.sheets.get(&format!("{spreadsheet}_{sheet}")) {
                Some(values) => ok(json!({"revision": 1, "valueRange": {"values": values}})),
                None => error(403, 1_061_004, "forbidden."),
            }
        }
        ("GET", ["bitable", "v1", "apps", app, "tables", table, "fields"]) => {
            let (fields, _) = world.tables.get(&format!("{app}_{table}"))?;
            ok(page(world, fields.clone(), query, "items", "page_token"))
        }
        ("POST", ["bitable", "v1", "apps", app, "tables", table, "records", "search"]) => {
            let (_, records) = world.tables.get(&format!("{app}_{table}"))?;
            ok(page(world, records.clone(), query, "items", "page_token"))
        }
        _ => return None,
    })
}

fn begin_export(world: &mut World, body: &Value) -> Reply {
    let token = body["token"].as_str().unwrap_or_default();
    if world.text_of(token).is_none() {
        return error(404, 1_069_906, "docs deleted");
    }
    world.exports.push((token.to_owned(), 0));
    ok(json!({"ticket": (FIRST_TICKET + world.exports.len() as u64).to_string()}))
}

fn look_at_export(world: &mut World, ticket: &str, query: &HashMap<String, String>) -> Reply {
    let number = ticket.parse::<u64>().ok().and_then(|ticket| ticket.checked_sub(FIRST_TICKET + 1));
    let pending = world.pending_looks;
    let export = number.and_then(|number| world.exports.get_mut(usize::try_from(number).ok()?));
    let Some((token, looks)) = export.filter(|(token, _)| query.get("token") == Some(token)) else {
        return error(400, 1_069_904, "invalid param");
    };
    *looks += 1;
    let (token, is_pending) = (token.clone(), *looks <= pending);
    let status = if is_pending { 2 } else { world.job_statuses.get(&token).copied().unwrap_or(0) };
    let size = world.text_of(&token).map_or(0, str::len);
    let file = format!("boxcnExport{}", number.unwrap_or_default() + 1);
    ok(json!({"result": {"file_extension": "docx", "type": "docx", "file_name": "exported", "file_size": size,
        "file_token": file, "job_error_msg": "success", "job_status": status}}))
}

fn exported(world: &World, file_token: &str) -> Reply {
    let number = file_token.strip_prefix("boxcnExport").and_then(|number| number.parse::<usize>().ok());
    let export = number.and_then(|number| world.exports.get(number.checked_sub(1)?));
    match export.and_then(|(token, _)| world.text_of(token)) {
        Some(text) => file(text.as_bytes(), "application/octet-stream"),
        None => error(400, 1_060_001, "param is invalid"),
    }
}

fn file(bytes: &[u8], content_type: &str) -> Reply {
    Reply::new(200)
        .header("Content-Type", content_type)
        .header("Content-Disposition", "attachment; filename=\"file\"; filename*=UTF-8''file")
        .body(bytes.to_vec())
}

/// Tickets count on from here.
const FIRST_TICKET: u64 = 7_400_000_000_000_000_000;
