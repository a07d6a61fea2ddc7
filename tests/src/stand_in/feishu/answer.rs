//! How the stand-in of Feishu answers a request.

use std::collections::HashMap;

use serde_json::{Value, json};

use super::content;
use super::world::{File, Node, World};
use crate::server::{Received, Reply};

/// The answer to one request.
pub(super) fn answer(world: &mut World, request: &Received) -> Reply {
    let body = String::from_utf8_lossy(&request.body).into_owned();
    if let Some(reply) = fault(world, &format!("{} {} {body}", request.method, request.target)) {
        return reply;
    }
    let body: Value = serde_json::from_str(&body).unwrap_or(Value::Null);
    let path: Vec<&str> = request.path().trim_matches('/').split('/').collect();
    let Some(path) = path.strip_prefix(&["open-apis"]) else {
        return not_found();
    };
    if let ["auth", "v3", "tenant_access_token", "internal"] = path {
        return sign_in(world, &body);
    }
    if let Some(refused) = check_token(world, request) {
        return refused;
    }
    let query: HashMap<String, String> = query(&request.target);
    route(world, &request.method, path, &query, &body).unwrap_or_else(not_found)
}

fn route(
    world: &mut World,
    method: &str,
    path: &[&str],
    query: &HashMap<String, String>,
    body: &Value,
) -> Option<Reply> {
    match (method, path) {
        ("GET", ["wiki", "v2", "spaces"]) => {
            let rows =
                world.spaces.iter().map(|space| json!({"space_id": space.id, "name": space.name, "description": ""}));
            Some(ok(page(world, rows.collect(), query, "items", "page_token")))
        }
        ("GET", ["wiki", "v2", "spaces", "get_node"]) => Some(node(world, query.get("token")?)),
        ("GET", ["wiki", "v2", "spaces", space, "nodes"]) => Some(nodes(world, space, query)),
        ("GET", ["drive", "v1", "files"]) => Some(files(world, query)),
        ("GET", ["drive", "explorer", "v2", "folder", token, "meta"]) => {
            let folder = world.files.iter().find(|file| file.token == *token && file.kind == "folder");
            Some(folder.map_or_else(|| error(404, 1_061_003, "not found."), |folder| ok(json!({"name": folder.name}))))
        }
        ("POST", ["drive", "v1", "metas", "batch_query"]) => Some(metas(world, body)),
        _ => content::route(world, method, path, query, body),
    }
}

fn sign_in(world: &mut World, body: &Value) -> Reply {
    if body["app_id"] != world.app_id.as_str() {
        return json_reply(200, &json!({"code": 10_003, "data": {}, "msg": "invalid param"}));
    }
    if body["app_secret"] != world.app_secret.as_str() {
        return json_reply(200, &json!({"code": 10_014, "msg": "app secret invalid"}));
    }
    world.tokens += 1;
    let token = format!("t-standin{}", world.tokens);
    json_reply(200, &json!({"code": 0, "msg": "ok", "tenant_access_token": token, "expire": 7200}))
}

fn check_token(world: &World, request: &Received) -> Option<Reply> {
    let shown = request.value("authorization").unwrap_or_default();
    match shown.strip_prefix("Bearer ") {
        None => Some(error(400, 99_991_661, "Missing access token for authorization.")),
        Some(token) if token == format!("t-standin{}", world.tokens) && world.tokens > 0 => None,
        Some(_) => Some(error(400, 99_991_663, "Invalid access token for authorization.")),
    }
}

fn node(world: &World, token: &str) -> Reply {
    let known = world.nodes.iter().find(|node| node.token == token || node.obj_token == token);
    match known {
        _ if token == "wikDenied" => error(400, 131_006, "node permission denied, tenant needs read permission."),
        Some(node) if node.is_hidden => error(400, 131_006, "node permission denied, tenant needs read permission."),
        Some(node) => ok(json!({"node": node_value(world, node)})),
        None => error(400, 131_005, "node not found"),
    }
}

fn nodes(world: &World, space: &str, query: &HashMap<String, String>) -> Reply {
    if world.spaces.iter().all(|known| known.id != space) {
        return error(400, 131_005, "space not found");
    }
    let parent = query.get("parent_node_token").map(String::as_str).unwrap_or_default();
    let here = |node: &&Node| node.space == space && node.parent == parent && !node.is_hidden;
    let is_emptied = world.emptied.iter().any(|emptied| emptied == space);
    let rows =
        world.nodes.iter().filter(here).filter(|_| !is_emptied).map(|node| node_value(world, node)).collect::<Vec<_>>();
    if world.circling.iter().any(|circling| circling == space) {
        return ok(json!({"items": rows, "page_token": "again", "has_more": true}));
    }
    ok(page(world, rows, query, "items", "page_token"))
}

fn node_value(world: &World, node: &Node) -> Value {
    let has_child = world.nodes.iter().any(|child| child.parent == node.token && child.space == node.space);
    json!({
        "space_id": node.space, "node_token": node.token, "obj_token": node.obj_token, "obj_type": node.obj_type,
        "parent_node_token": node.parent, "node_type": if node.is_shortcut { "shortcut" } else { "origin" },
        "has_child": has_child, "title": node.title, "obj_create_time": "1716170400",
        "obj_edit_time": node.edited.to_string(), "creator": "ou_1", "owner": "ou_1",
    })
}

fn files(world: &World, query: &HashMap<String, String>) -> Reply {
    let folder = query.get("folder_token").map(String::as_str).unwrap_or_default();
    if world.files.iter().all(|file| file.token != folder || file.kind != "folder") {
        return error(404, 1_061_003, "not found.");
    }
    let rows = world.files.iter().filter(|file| file.folder == folder).map(file_value).collect();
    ok(page(world, rows, query, "files", "next_page_token"))
}

fn file_value(file: &File) -> Value {
    json!({
        "token": file.token, "name": file.name, "type": file.kind, "parent_token": file.folder,
        "url": format!("https://example.feishu.cn/{}/{}", file.kind, file.token),
        "created_time": "1716170400", "modified_time": file.edited.to_string(), "owner_id": "ou_1",
    })
}

fn metas(world: &World, body: &Value) -> Reply {
    let (mut metas, mut failed) = (Vec::new(), Vec::new());
    for asked in body["request_docs"].as_array().into_iter().flatten() {
        let (token, kind) =
            (asked["doc_token"].as_str().unwrap_or_default(), asked["doc_type"].as_str().unwrap_or_default());
        let of_file = world.files.iter().find(|file| file.token == token && file.kind == kind).map(|file| &file.name);
        let of_node =
            world.nodes.iter().find(|node| node.obj_token == token && node.obj_type == kind).map(|node| &node.title);
        match of_file.or(of_node) {
            Some(title) => metas.push(json!({"doc_token": token, "doc_type": kind, "title": title})),
            None => failed.push(json!({"token": token, "code": 970_005})),
        }
    }
    ok(json!({"metas": metas, "failed_list": failed}))
}

/// A page of rows: its token is where the next begins. The names differ from listing to listing.
pub(super) fn page(world: &World, rows: Vec<Value>, query: &HashMap<String, String>, items: &str, next: &str) -> Value {
    let asked = query.get("page_size").and_then(|size| size.parse().ok()).unwrap_or(20_usize);
    let size = if world.page_cap > 0 { asked.min(world.page_cap) } else { asked };
    let token = query.get("page_token").and_then(|token| token.strip_suffix("||0")?.parse().ok());
    let start: usize = token.unwrap_or(0);
    let end = rows.len().min(start + size);
    let has_more = end < rows.len();
    let token = if has_more { format!("{end}||0") } else { String::new() };
    json!({items: rows[start.min(end)..end], next: token, "has_more": has_more})
}

fn fault(world: &mut World, asked: &str) -> Option<Reply> {
    let fault = world.faults.iter_mut().find(|fault| fault.times > 0 && asked.contains(&fault.target))?;
    fault.times -= 1;
    let reply = match fault.code {
        Some(code) => error(fault.status, code, "a fault"),
        None => Reply::new(fault.status),
    };
    Some(fault.headers.iter().fold(reply, |reply, (name, value)| reply.header(name, value)))
}

/// A good answer.
pub(super) fn ok(data: Value) -> Reply {
    json_reply(200, &json!({"code": 0, "msg": "success", "data": data}))
}

/// A refusal.
pub(super) fn error(status: u16, code: i64, message: &str) -> Reply {
    let violations = json!([{"type": "action_scope_required", "subject": "wiki:wiki:readonly"}]);
    let mut body = json!({"code": code, "msg": message, "error": {"log_id": "20260101"}});
    if code == 99_991_672 {
        body["error"]["permission_violations"] = violations;
    }
    json_reply(status, &body)
}

fn json_reply(status: u16, body: &Value) -> Reply {
    Reply::new(status)
        .header("Content-Type", "application/json; charset=utf-8")
        .header("x-tt-logid", "20260101")
        .body(body.to_string())
}

/// What the gateway says to a path that it does not know.
fn not_found() -> Reply {
    Reply::new(404).header("Content-Type", "text/plain").body("404 page not found")
}

fn query(target: &str) -> HashMap<String, String> {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}
