//! What `feed::reply` is held to.

use super::{challenge, classify};
use crate::ErrorKind;

#[track_caller]
fn check(text: &str, kind: ErrorKind, seen: &str) {
    let reply = classify(text);
    assert_eq!(reply.kind, kind, "{reply:?}");
    assert!(reply.detail.contains(seen), "{reply:?}");
}

#[test]
fn nothing_is_an_empty_body() {
    check("", ErrorKind::EmptyBody, "empty");
    check(" \n\t ", ErrorKind::EmptyBody, "empty");
}

#[test]
fn expired_links_in_any_width_and_wrapping() {
    check("RSS 链接已过期, 您需要获得一个新的!", ErrorKind::Expired, "RSS 链接已过期");
    check("<p>RSS 链接已过期，您需要获得一个新的！</p>", ErrorKind::Expired, "RSS");
    check("\n RSS Link has expired, You need to get a new one! \n", ErrorKind::Expired, "expired");
    check("RSS Link has expired, You need to get new!", ErrorKind::Expired, "expired");
    check(r#"{"message":"RSS \u94fe\u63a5\u5df2\u8fc7\u671f"}"#, ErrorKind::Expired, "链接");
}

#[test]
fn refused_accounts() {
    check("invalid passkey", ErrorKind::Auth, "invalid passkey");
    check("account disabed or parked", ErrorKind::Auth, "parked");
    check(r#"{"status":401,"error":"Unauthorized"}"#, ErrorKind::Auth, "Unauthorized");
}

#[test]
fn challenges_name_their_vendor() {
    let page = "<html><head><title>Just a moment...</title></head><body></body></html>";
    check(page, ErrorKind::BlockedByChallenge, "Cloudflare");
    check("<title>Attention Required! | Cloudflare</title>", ErrorKind::BlockedByChallenge, "Cloudflare");
    assert_eq!(challenge("<title>Maintenance</title>"), None);
}

#[test]
fn pages_are_named_by_their_title() {
    let login = "<!DOCTYPE html><title>Log in</title><form><input type=\"password\"></form>";
    check(login, ErrorKind::NotAFeed, "a login page with the title \"Log in\"");
    check("<html><head><title>Back &amp; soon</title>", ErrorKind::NotAFeed, "Back & soon");
}

#[test]
fn other_documents_are_named_by_their_kind() {
    check(r#"{"error":"no such feed"}"#, ErrorKind::NotAFeed, "no such feed");
    check("<?xml version='1.0'?><!-- x --><opml version='2.0'/>", ErrorKind::NotAFeed, "<opml>");
    check("hello", ErrorKind::NotAFeed, "hello");
}

#[test]
fn what_was_seen_holds_no_secret() {
    let reply = classify("error at https://t.example.org/rss?passkey=0123456789abcdef0123456789abcdef");
    assert!(!reply.detail.contains("0123456789abcdef"), "{reply:?}");
}
