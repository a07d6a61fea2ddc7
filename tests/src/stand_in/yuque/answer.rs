//! How the stand-in of Yuque answers a request.

use std::collections::HashMap;

use jiff::Timestamp;
use serde_json::{Value, json};

use super::world::{Book, Doc, World};
use crate::server::{Received, Reply};

/// The answer to one request.
pub(super) fn answer(world: &mut World, request: &Received) -> Reply {
    if let Some(reply) = fault(world, &request.target) {
        return reply;
    }
    if request.value("x-auth-token").as_deref() != Some(&world.token) {
        return error(401, "Unauthorized");
    }
    if request.value("user-agent").is_none_or(|agent| agent.is_empty()) {
        return error(403, "Forbidden");
    }
    let Some(path) = request.path().strip_prefix("/api/v2/") else {
        return error(404, "Not Found");
    };
    let path: Vec<String> = path.trim_end_matches('/').split('/').map(decoded).collect();
    let path: Vec<&str> = path.iter().map(String::as_str).collect();
    let query = query(&request.target);
    let reply = route(world, &path, &query).unwrap_or_else(|| error(404, "Not Found"));
    reply.header("X-RateLimit-Limit", "5000").header("X-RateLimit-Remaining", "4987")
}

fn route(world: &World, path: &[&str], query: &HashMap<String, String>) -> Option<Reply> {
    let limit = query.get("limit").map_or(Some(100), |limit| limit.parse::<usize>().ok());
    let Some(limit) = limit.filter(|limit| (1..=100).contains(limit)) else {
        return Some(error(422, "Unprocessable Entity"));
    };
    let offset = query.get("offset").and_then(|offset| offset.parse().ok()).unwrap_or(0);
    let page = |rows: Vec<Value>| rows.into_iter().skip(offset).take(limit).collect::<Vec<_>>();
    match path {
        ["hello"] => Some(data(json!({"message": format!("Hello {}", world.login)}))),
        ["user"] => Some(data(owner(world, &world.login))),
        ["users", login] if is_owner(world, login) => Some(data(owner(world, login))),
        ["users", login, "groups"] if is_owner(world, login) && !world.groups.is_empty() => {
            let rows = world.groups.iter().map(|group| owner(world, &group.login)).collect();
            Some(data(json!(page(rows))))
        }
        ["users", login, "repos"] if is_owner(world, login) => Some(data(json!(page(books_of(world, &world.login))))),
        ["groups", login, "repos"] if is_group(world, login) => Some(data(json!(page(books_of(world, login))))),
        ["repos", "docs", id] => doc_by(world, id, query),
        ["repos", rest @ ..] => book_route(world, rest, query, &page),
        _ => None,
    }
}

fn book_route(
    world: &World,
    path: &[&str],
    query: &HashMap<String, String>,
    page: &dyn Fn(Vec<Value>) -> Vec<Value>,
) -> Option<Reply> {
    let (book, rest) = find_book(world, path)?;
    match rest {
        [] => Some(data(book_value(world, book))),
        ["toc"] => Some(data(json!(toc(book)))),
        ["docs"] => {
            let is_empty = world.emptied.contains(&book.id);
            let shown = if is_empty { 0 } else { world.listing_cap.unwrap_or(usize::MAX) };
            let rows: Vec<_> = book.docs.iter().take(shown).map(|doc| doc_value(world, book, doc)).collect();
            let total = if is_empty { 0 } else { book.docs.len() };
            let rows =
                if world.circling.contains(&book.id) { rows.into_iter().take(100).collect() } else { page(rows) };
            let body = json!({"meta": {"total": total}, "data": rows});
            Some(json_reply(200, &body))
        }
        ["docs", doc] => {
            let doc = book.docs.iter().find(|known| known.slug == *doc || known.id.to_string() == *doc)?;
            (!doc.hidden).then(|| detail(world, book, doc, query))
        }
        _ => None,
    }
}

/// The book that a path begins with, by number or by namespace, and what follows.
fn find_book<'w, 'p>(world: &'w World, path: &'p [&'p str]) -> Option<(&'w Book, &'p [&'p str])> {
    let (first, rest) = path.split_first()?;
    if let Some(book) = world.books.iter().find(|book| book.id.to_string() == *first) {
        return Some((book, rest));
    }
    let (second, rest) = rest.split_first()?;
    let book = world.books.iter().find(|book| book.owner == *first && book.slug == *second)?;
    Some((book, rest))
}

fn doc_by(world: &World, id: &str, query: &HashMap<String, String>) -> Option<Reply> {
    let mut all = world.books.iter().flat_map(|book| book.docs.iter().map(move |doc| (book, doc)));
    let (book, doc) = all.find(|(_, doc)| doc.id.to_string() == id && !doc.hidden)?;
    Some(detail(world, book, doc, query))
}

fn is_owner(world: &World, login: &str) -> bool {
    login == world.login || login == OWNER_ID.to_string()
}

fn is_group(world: &World, login: &str) -> bool {
    world.groups.iter().any(|group| group.login == login) || (world.team_token && login == world.login)
}

fn owner(world: &World, login: &str) -> Value {
    let group = world.groups.iter().find(|group| group.login == login);
    let kind = if group.is_some() || world.team_token { "Group" } else { "User" };
    let id = group.map_or(OWNER_ID, |group| group.id);
    json!({"id": id, "type": kind, "login": login, "name": login, "description": null, "_serializer": "v2.user"})
}

fn books_of(world: &World, login: &str) -> Vec<Value> {
    world.books.iter().filter(|book| book.owner == login).map(|book| book_value(world, book)).collect()
}

fn book_value(world: &World, book: &Book) -> Value {
    json!({
        "id": book.id, "type": "Book", "slug": book.slug, "name": book.name, "user_id": OWNER_ID, "description": "",
        "public": 0, "items_count": book.docs.len(), "namespace": format!("{}/{}", book.owner, book.slug),
        "content_updated_at": "2026-03-02T08:17:41.714Z", "user": owner(world, &book.owner), "_serializer": "v2.book",
    })
}

fn doc_value(world: &World, book: &Book, doc: &Doc) -> Value {
    let status = i64::from(doc.published);
    let status = if world.status_as_text { json!(status.to_string()) } else { json!(status) };
    json!({
        "id": doc.id, "type": doc.kind, "slug": doc.slug, "title": doc.title, "description": "", "book_id": book.id,
        "user_id": OWNER_ID, "public": 0, "status": status, "word_count": doc.body.len(), "read_count": 18,
        "created_at": "2026-01-05T02:11:09.000Z", "updated_at": written(doc.updated_at),
        "content_updated_at": written(doc.content_updated_at), "format": doc.format,
        "published_at": doc.published.then(|| written(doc.content_updated_at)), "book": null,
        "_serializer": "v2.doc",
    })
}

fn detail(world: &World, book: &Book, doc: &Doc, query: &HashMap<String, String>) -> Reply {
    let mut value = doc_value(world, book, doc);
    let number = |name: &str, default: usize| query.get(name).and_then(|text| text.parse().ok()).unwrap_or(default);
    let (page, size) = (number("page", 1).max(1), number("page_size", 100).min(200));
    let records: Vec<_> = doc.records.iter().skip((page - 1) * size).take(size).map(record).collect();
    let table = json!({"totalCount": doc.records.len(), "records": records, "pageSize": size, "page": page});
    let body = if doc.published { doc.body.as_str() } else { "" };
    value["body"] = json!(if doc.kind == "Doc" { body } else { "" });
    value["body_draft"] = json!(if doc.published { "" } else { doc.body.as_str() });
    value["body_html"] = json!(format!("<!doctype html><div class=\"lake-content\">{}</div>", doc.title));
    value["body_sheet"] = json!(doc.body_sheet);
    value["body_table"] = if doc.kind == "Table" { json!(table.to_string()) } else { Value::Null };
    value["creator"] = owner(world, &world.login);
    value["_serializer"] = json!("v2.doc_detail");
    json_reply(200, &json!({"abilities": {"update": true, "destroy": true}, "data": value}))
}

fn record(values: &Value) -> Value {
    let values: Vec<_> = values.as_array().into_iter().flatten().map(|value| json!({"value": value})).collect();
    json!({"values": values, "createdAt": "2026-01-01T00:00:00.000Z", "updatedAt": "2026-01-01T00:00:00.000Z"})
}

/// The folders and documents of a book, flat: a folder is known by the titles that lead to it.
fn toc(book: &Book) -> Vec<Value> {
    let mut entries: Vec<Value> = Vec::new();
    let uuid = |folders: &[String]| if folders.is_empty() { String::new() } else { format!("t:{}", folders.join("/")) };
    for doc in &book.docs {
        for depth in 1..=doc.folders.len() {
            let (own, above) = (uuid(&doc.folders[..depth]), uuid(&doc.folders[..depth - 1]));
            if entries.iter().all(|entry| entry["uuid"] != own.as_str()) {
                let title = &doc.folders[depth - 1];
                entries.push(json!({"uuid": own, "type": "TITLE", "title": title, "url": "", "doc_id": "",
                    "level": depth - 1, "parent_uuid": above}));
            }
        }
        entries.push(json!({"uuid": format!("d{}", doc.id), "type": "DOC", "title": doc.title, "url": doc.slug,
            "doc_id": doc.id, "level": doc.folders.len(), "parent_uuid": uuid(&doc.folders)}));
    }
    entries
}

fn fault(world: &mut World, target: &str) -> Option<Reply> {
    let fault = world.faults.iter_mut().find(|fault| fault.times > 0 && target.contains(&fault.target))?;
    if fault.after > 0 {
        fault.after -= 1;
        return None;
    }
    fault.times -= 1;
    let reply = error(fault.status, if fault.status == 429 { "Too Many Requests" } else { "error" });
    Some(fault.headers.iter().fold(reply, |reply, (name, value)| reply.header(name, value)))
}

fn data(value: Value) -> Reply {
    json_reply(200, &json!({"data": value}))
}

fn error(status: u16, message: &str) -> Reply {
    json_reply(status, &json!({"status": status, "message": message}))
}

fn json_reply(status: u16, body: &Value) -> Reply {
    Reply::new(status).header("Content-Type", "application/json; charset=utf-8").body(body.to_string())
}

/// As Yuque writes times: with milliseconds.
fn written(at: Timestamp) -> String {
    format!("{at:.3}")
}

fn query(target: &str) -> HashMap<String, String> {
    let query = target.split_once('?').map_or("", |(_, query)| query);
    url::form_urlencoded::parse(query.as_bytes()).into_owned().collect()
}

fn decoded(segment: &str) -> String {
    let escaped = segment.replace('+', "%2B");
    url::form_urlencoded::parse(format!("s={escaped}").as_bytes())
        .next()
        .map(|(_, value)| value.into_owned())
        .unwrap_or_default()
}

const OWNER_ID: u64 = 1001;
