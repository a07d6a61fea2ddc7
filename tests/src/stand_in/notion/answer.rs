//! What the stand-in answers to a request, in the order in which the service looks at one.

use jiff::SignedDuration;
use serde_json::{Value, json};

use super::fault::Trouble;
use super::listing::{Invalid, Wanted, envelope};
use super::node::Kind;
use super::objects::property_id;
use super::world::World;
use crate::server::{Received, Reply};

/// The answer to a request.
pub(super) fn answer(world: &mut World, request: &Received) -> Reply {
    world.on_request();
    if let Some(trouble) = world.wrongs.trouble(&words(request)) {
        return troubled(trouble);
    }
    if let Some(name) = request.path().strip_prefix("/files/") {
        return file(world, request, name);
    }
    let Some(route) = Route::of(request) else { return refused(400, "invalid_request_url", "Invalid request URL.") };
    let body = match request.body.as_slice() {
        b"" => json!({}),
        bytes => match serde_json::from_slice::<Value>(bytes) {
            Ok(body) => body,
            Err(_) => return refused(400, "invalid_json", "Error parsing JSON body."),
        },
    };
    if let Some(refusal) = entry(world, request) {
        return refusal;
    }
    let origin = format!("http://{}", request.value("host").unwrap_or_default());
    route.answer(world, request, &body, &origin)
}

/// What a request is for.
enum Route {
    Me,
    Search,
    Page(String),
    Property(String, String),
    Database(String),
    DataSource(String),
    Query(String),
    Block(String),
    Children(String),
}

impl Route {
    fn of(request: &Received) -> Option<Self> {
        let parts: Vec<_> = request.path().strip_prefix("/v1/")?.split('/').collect();
        let id = |id: &str| dashed(id);
        match (request.method.as_str(), parts.as_slice()) {
            ("GET", ["users", "me"]) => Some(Self::Me),
            ("POST", ["search"]) => Some(Self::Search),
            ("GET", ["pages", page]) => Some(Self::Page(id(page))),
            ("GET", ["pages", page, "properties", property]) => Some(Self::Property(id(page), (*property).to_owned())),
            ("GET", ["databases", database]) => Some(Self::Database(id(database))),
            ("GET", ["data_sources", source]) => Some(Self::DataSource(id(source))),
            ("POST", ["data_sources", source, "query"]) => Some(Self::Query(id(source))),
            ("GET", ["blocks", block]) => Some(Self::Block(id(block))),
            ("GET", ["blocks", block, "children"]) => Some(Self::Children(id(block))),
            _ => None,
        }
    }

    fn answer(self, world: &mut World, request: &Received, body: &Value, origin: &str) -> Reply {
        match self {
            Self::Me => ok(&me()),
            Self::Search => search(world, body, origin),
            Self::Page(id) => object(world, &id, &Kind::Page, "page", origin),
            Self::Database(id) => object(world, &id, &Kind::Database, "database", origin),
            Self::DataSource(id) => object(world, &id, &Kind::DataSource, "data source", origin),
            Self::Block(id) if world.sees(&id) => ok(&world.shown_as_block(&id, origin)),
            Self::Block(id) => absent("block", &id),
            Self::Query(id) => query(world, &id, body, origin),
            Self::Children(id) => children(world, &id, request, origin),
            Self::Property(page, property) => property_items(world, &page, &property, request),
        }
    }
}

/// What stands before every answer: the token, the version, the limit.
fn entry(world: &mut World, request: &Received) -> Option<Reply> {
    let token = request.value("authorization").unwrap_or_default();
    if !token.starts_with("Bearer ") {
        let form = "Authorization header must use the format \"Bearer <token>\".";
        return Some(refused(401, "unauthorized", form));
    }
    if token != "Bearer ntn_standin" || world.wrongs.is_token_refused {
        return Some(refused(401, "unauthorized", "API token is invalid."));
    }
    match request.value("notion-version").as_deref() {
        Some("2025-09-03" | "2026-03-11") => {}
        _ => {
            let missing = "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.";
            return Some(refused(400, "missing_version", missing));
        }
    }
    let now = world.clock.now();
    let limit = world.limit?;
    let (began, count) = world.minute;
    let began = began.filter(|began| now.duration_since(*began) < SignedDuration::from_mins(1));
    world.minute = (Some(began.unwrap_or(now)), if began.is_some() { count + 1 } else { 1 });
    let wait = 60 - now.duration_since(began.unwrap_or(now)).as_secs();
    (world.minute.1 > limit).then(|| throttled(u32::try_from(wait).unwrap_or(60)))
}

fn search(world: &mut World, body: &Value, origin: &str) -> Reply {
    let object = body["filter"]["value"].as_str();
    let is_descending = body["sort"]["direction"] != "ascending";
    let ids = world.searched(object, is_descending);
    let wanted = wanted_of(body);
    if wanted.cursor.is_some() {
        world.cursor_uses += 1;
        if world.wrongs.cursor_life.is_some_and(|life| world.cursor_uses > life) {
            world.wrongs.cursor_life = None;
            let cursor = wanted.cursor.unwrap_or_default();
            return refused(400, "validation_error", &format!("The start_cursor provided is invalid: {cursor}"));
        }
    }
    match world.part("search", &ids, &wanted) {
        Err(Invalid(words)) => refused(400, "validation_error", &words),
        Ok(part) => {
            let results = part.ids.iter().map(|id| world.shown(id, origin)).collect();
            ok(&envelope("page_or_data_source", results, &part))
        }
    }
}

fn query(world: &mut World, id: &str, body: &Value, origin: &str) -> Reply {
    if !world.sees(id) || world.nodes[id].kind != Kind::DataSource {
        return absent("data source", id);
    }
    let known = ["filter", "sorts", "start_cursor", "page_size", "result_type", "is_archived"];
    if let Some(name) = body.as_object().and_then(|body| body.keys().find(|name| !known.contains(&name.as_str()))) {
        return refused(400, "validation_error", &format!("body failed validation: body.{name} should be not present"));
    }
    let mut rows = world.queried(id, body);
    let is_capped = world.capped(&mut rows);
    match world.part(id, &rows, &wanted_of(body)) {
        Err(Invalid(words)) => refused(400, "validation_error", &words),
        Ok(part) => {
            let results = part.ids.iter().map(|id| world.shown(id, origin)).collect();
            let mut listing = envelope("page_or_data_source", results, &part);
            if is_capped {
                listing["request_status"] =
                    json!({"type": "incomplete", "incomplete_reason": "query_result_limit_reached"});
            }
            ok(&listing)
        }
    }
}

fn children(world: &mut World, id: &str, request: &Received, origin: &str) -> Reply {
    let shows_blocks = |kind: &Kind| matches!(kind, Kind::Page | Kind::Block(_));
    if !world.sees(id) || !shows_blocks(&world.nodes[id].kind) {
        return absent("block", id);
    }
    let ids = world.children(id);
    match world.part(id, &ids, &wanted_in(request)) {
        Err(Invalid(words)) => refused(400, "validation_error", &words),
        Ok(part) => {
            if let Some(kind) = part.ids.iter().find_map(|id| unreadable(&world.nodes[id].kind)) {
                let words = format!("Block type {kind} is not supported via the API for your bot type.");
                return refused(400, "validation_error", &words);
            }
            let results = part.ids.iter().map(|id| world.shown_as_block(id, origin)).collect();
            ok(&envelope("block", results, &part))
        }
    }
}

fn unreadable(kind: &Kind) -> Option<&str> {
    match kind {
        Kind::Block(kind) if kind == "ai_block" => Some(kind),
        _ => None,
    }
}

fn property_items(world: &mut World, page: &str, property: &str, request: &Received) -> Reply {
    if !world.sees(page) {
        return absent("page", page);
    }
    let fields = world.nodes[page].fields.clone();
    let found = fields.iter().enumerate().find(|(number, (name, _))| property_id(name, *number) == property);
    let Some((_, (_, value))) = found else { return absent("property", property) };
    let kind = value["type"].as_str().unwrap_or_default();
    let Some(list) = value[kind].as_array() else { return ok(value) };
    let ids: Vec<_> = (0..list.len()).map(|number| format!("item-{number}")).collect();
    match world.part(property, &ids, &wanted_in(request)) {
        Err(Invalid(words)) => refused(400, "validation_error", &words),
        Ok(part) => {
            let item = |id: &String| {
                let number = ids.iter().position(|known| known == id).unwrap_or_default();
                json!({"object": "property_item", "id": property, "type": kind, (kind): list[number]})
            };
            let results = part.ids.iter().map(item).collect();
            let mut listing = envelope("property_item", results, &part);
            listing["property_item"] = json!({"id": property, "type": kind, (kind): {}, "next_url": null});
            ok(&listing)
        }
    }
}

fn object(world: &mut World, id: &str, kind: &Kind, name: &str, origin: &str) -> Reply {
    if !world.sees(id) {
        return absent(name, id);
    }
    match &world.nodes[id].kind {
        found if found == kind => ok(&world.shown(id, origin)),
        Kind::Page => refused(
            400,
            "validation_error",
            &format!("Provided ID {id} is a page, not a {name}. Use the retrieve page API instead."),
        ),
        Kind::Database if *kind == Kind::Page => refused(
            400,
            "validation_error",
            &format!("Provided ID {id} is a database, not a page. Use the retrieve database API instead."),
        ),
        _ => absent(name, id),
    }
}

/// A file, as long as its address lives. No token may come here.
fn file(world: &World, request: &Received, name: &str) -> Reply {
    if request.value("authorization").is_some() {
        return Reply::new(400).body("a token was sent to the file host");
    }
    let until =
        request.target.split("X-Amz-Expires=").nth(1).and_then(|rest| rest.split('&').next()?.parse::<i64>().ok());
    if until.is_none_or(|until| until < world.clock.now().as_second()) {
        let words = "<Error><Code>AccessDenied</Code><Message>Request has expired</Message></Error>";
        return Reply::new(403).header("Content-Type", "application/xml").body(words);
    }
    match world.files.get(name) {
        Some((content_type, bytes)) => Reply::ok(bytes.clone()).header("Content-Type", content_type),
        None => Reply::new(404),
    }
}

fn troubled(trouble: Trouble) -> Reply {
    match trouble {
        Trouble::Refused(status, code) => refused(status, code, "It did not work."),
        Trouble::Throttled(seconds) => throttled(seconds),
        Trouble::Invalid(words) => refused(400, "validation_error", words),
        Trouble::Foreign(reply) => reply,
    }
}

fn throttled(seconds: u32) -> Reply {
    let body = json!({
        "object": "error", "status": 429, "code": "rate_limited",
        "message": "You have been rate limited. Please try again in a few minutes.",
        "additional_data": {"rate_limit_reason": "public_api_request_rate_limit", "retry_after": seconds.to_string()},
        "request_id": "f211b7ea-42ee-4cf4-805e-52e17e829415",
    });
    json_reply(429, &body).header("Retry-After", &seconds.to_string())
}

fn refused(status: u16, code: &str, message: &str) -> Reply {
    let body = json!({
        "object": "error", "status": status, "code": code, "message": message,
        "request_id": "891b6ed8-06a2-4267-aec5-e77df2d844c6",
    });
    json_reply(status, &body)
}

fn absent(what: &str, id: &str) -> Reply {
    let words = format!(
        "Could not find {what} with ID: {id}. Make sure the relevant pages and databases are shared with your integration \"kb-sync\"."
    );
    refused(404, "object_not_found", &words)
}

fn ok(body: &Value) -> Reply {
    json_reply(200, body)
}

fn json_reply(status: u16, body: &Value) -> Reply {
    Reply::new(status)
        .header("Content-Type", "application/json; charset=utf-8")
        .header("x-notion-request-id", "891b6ed8-06a2-4267-aec5-e77df2d844c6")
        .body(body.to_string())
}

fn me() -> Value {
    json!({
        "object": "user", "id": "aa000000-0000-4000-8000-0000000000ff", "type": "bot", "name": "kb-sync", "avatar_url": null,
        "bot": {"owner": {"type": "workspace", "workspace": true}, "workspace_id": "ws", "workspace_name": "Acme"},
        "request_id": "891b6ed8-06a2-4267-aec5-e77df2d844c6",
    })
}

fn wanted_of(body: &Value) -> Wanted {
    let size = body["page_size"].as_u64().and_then(|size| usize::try_from(size).ok()).unwrap_or(100);
    Wanted { size, cursor: body["start_cursor"].as_str().map(str::to_owned) }
}

fn wanted_in(request: &Received) -> Wanted {
    let query = request.target.split_once('?').map_or("", |(_, query)| query);
    let value = |name: &str| {
        url::form_urlencoded::parse(query.as_bytes())
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.into_owned())
    };
    let size = value("page_size").and_then(|size| size.parse().ok()).unwrap_or(100);
    Wanted { size, cursor: value("start_cursor") }
}

/// Ids are taken with and without dashes.
fn dashed(id: &str) -> String {
    let digits = id.replace('-', "");
    if digits.len() != 32 || !digits.is_ascii() {
        return id.to_owned();
    }
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

fn words(request: &Received) -> String {
    format!("{} {} {}", request.method, request.target, String::from_utf8_lossy(&request.body))
}
