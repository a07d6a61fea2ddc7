//! Does a digest reach a mailbox, over TLS where that was asked for, and is a hostile server harmless?

use std::sync::Arc;
use std::time::Duration;

use headwater_adapters_http::{HttpConfig, MailDialler};
use headwater_adapters_sinks::{Security, SmtpConfig, SmtpSink};
use headwater_domain::ErrorKind;
use headwater_domain::secret::Secret;
use headwater_ports::{DigestSink as _, Result};
use headwater_tests::mail::{MailRules, MailServer};
use headwater_tests::server::{Authority, Identity};

use super::kit::{PLAIN, Text, delivery, local};

const HTML: Text = Text("text/html; charset=utf-8", "<!DOCTYPE html><p>電池 &amp; more</p>\n");
const WORD: &str = "correct-horse-7431";

fn config(server: &MailServer, security: Security) -> SmtpConfig {
    SmtpConfig {
        host: "127.0.0.1".to_owned(),
        port: server.port(),
        security,
        login: None,
        from: "Headwater <digest@example.test>".to_owned(),
        to: vec!["reader@example.test".to_owned(), "Second Reader <second@example.test>".to_owned()],
        timeout: Duration::from_secs(20),
    }
}

fn trusting(authority: &Authority) -> HttpConfig {
    HttpConfig { ca_pem: vec![authority.pem()], ..local() }
}

async fn send(config: SmtpConfig, http: &HttpConfig, page: &Text) -> Result<()> {
    let dialler = Arc::new(MailDialler::new(http).unwrap());
    SmtpSink::new(config, dialler).unwrap().deliver(&delivery(page)).await
}

fn identity() -> (Authority, Identity) {
    let authority = Authority::root("Mail Root");
    let identity = authority.identity(&["127.0.0.1"]);
    (authority, identity)
}

#[tokio::test]
async fn a_digest_arrives_as_html_with_its_plain_text_beside_it() {
    let server = MailServer::start(MailRules::default()).await;
    send(config(&server, Security::None), &local(), &HTML).await.unwrap();
    let mail = server.mails().pop().unwrap();
    assert_eq!(mail.from, "digest@example.test");
    assert_eq!(mail.to, ["reader@example.test", "second@example.test"]);
    for part in [
        "Subject: 2 new articles from 1 source.",
        "Message-ID: <0123456789abcdef0123456789abcdef@headwater.invalid>",
        "Date: Wed, 20 May 2026 12:01:00 +0000",
        "Auto-Submitted: auto-generated",
        "multipart/alternative",
        "text/plain",
        "text/html",
    ] {
        assert!(mail.message.contains(part), "{part}: {}", mail.message);
    }
}

#[tokio::test]
async fn other_forms_are_text_or_a_file() {
    let server = MailServer::start(MailRules::default()).await;
    send(config(&server, Security::None), &local(), &PLAIN).await.unwrap();
    send(config(&server, Security::None), &local(), &Text("application/json", "{\"a\":1}")).await.unwrap();
    let mails = server.mails();
    assert!(!mails[0].message.contains("multipart"), "{}", mails[0].message);
    assert!(mails[1].message.contains("filename=\"digest.json\""), "{}", mails[1].message);
}

#[tokio::test]
async fn start_tls_comes_before_login_and_letter() {
    let (authority, identity) = identity();
    let login = Some(("reader".to_owned(), WORD.to_owned()));
    let server = MailServer::start(MailRules { start_tls: Some(identity), login, ..MailRules::default() }).await;
    let mut config = config(&server, Security::StartTls);
    config.login = Some(("reader".to_owned(), Secret::new(WORD.to_owned())));
    send(config, &trusting(&authority), &HTML).await.unwrap();
    let mail = server.mails().pop().unwrap();
    assert!(mail.encrypted && mail.user.as_deref() == Some("reader"), "{mail:?}");
    let commands = server.commands();
    assert_eq!(&commands[..2], ["EHLO [127.0.0.1]", "STARTTLS"]);
}

#[tokio::test]
async fn tls_from_the_first_byte() {
    let (authority, identity) = identity();
    let server = MailServer::start(MailRules { tls: Some(identity), ..MailRules::default() }).await;
    send(config(&server, Security::Tls), &trusting(&authority), &HTML).await.unwrap();
    assert!(server.mails()[0].encrypted);
    // Without the added authority nobody vouches for the server, and nothing is said to it.
    let before = server.commands().len();
    let error = send(config(&server, Security::Tls), &local(), &HTML).await.unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Tls | ErrorKind::TlsIncompleteChain), "{error:?}");
    assert_eq!(server.commands().len(), before);
}

#[tokio::test]
async fn a_server_that_takes_start_tls_away_gets_nothing() {
    let server = MailServer::start(MailRules::default()).await;
    let error = send(config(&server, Security::StartTls), &local(), &HTML).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Tls, "{error:?}");
    assert!(server.mails().is_empty() && !server.commands().iter().any(|line| line.starts_with("MAIL")));
}

#[tokio::test]
async fn words_put_in_before_the_encryption_are_not_taken_for_the_server_s() {
    let (authority, identity) = identity();
    let injects = b"250-evil\r\n250 AUTH PLAIN\r\n235 welcome\r\n250 ok\r\n".to_vec();
    let server = MailServer::start(MailRules { start_tls: Some(identity), injects, ..MailRules::default() }).await;
    let error = send(config(&server, Security::StartTls), &trusting(&authority), &HTML).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Tls, "{error:?}");
    assert!(server.mails().is_empty());
}

#[tokio::test]
async fn a_refused_login_does_not_tell_the_password() {
    let (authority, identity) = identity();
    let login = Some(("reader".to_owned(), "another".to_owned()));
    let server = MailServer::start(MailRules { start_tls: Some(identity), login, ..MailRules::default() }).await;
    let mut config = config(&server, Security::StartTls);
    config.login = Some(("reader".to_owned(), Secret::new(WORD.to_owned())));
    let error = send(config, &trusting(&authority), &HTML).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidCredentials);
    // The server quotes what it was told, in base64.
    let told = format!("{error} {error:?}");
    assert!(told.contains("535") && !told.contains(WORD) && !told.contains("AHJlYWRlcg"), "{told}");
    assert!(server.mails().is_empty());
}

#[tokio::test]
async fn a_refused_recipient_is_a_failure() {
    let refuses = Some("second@example.test".to_owned());
    let server = MailServer::start(MailRules { refuses, ..MailRules::default() }).await;
    let error = send(config(&server, Security::None), &local(), &HTML).await.unwrap_err();
    assert!(error.to_string().contains("550"), "{error}");
    assert!(server.mails().is_empty());
}

#[tokio::test]
async fn a_server_that_talks_without_end_is_left() {
    for security in [Security::None, Security::StartTls] {
        let server = MailServer::start(MailRules { floods: 4_000_000, ..MailRules::default() }).await;
        let error = send(config(&server, security), &local(), &HTML).await.unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Connect | ErrorKind::BodyTooLarge), "{error:?}");
    }
}

#[tokio::test]
async fn the_guard_judges_the_mail_server() {
    let server = MailServer::start(MailRules::default()).await;
    let error = send(config(&server, Security::None), &HttpConfig::default(), &HTML).await.unwrap_err();
    assert_eq!(error.kind, ErrorKind::BlockedAddress, "{error:?}");
    for (host, port) in [("mail.example.org", 80), ("mail.example.org", 22), ("10.0.0.1", 587), ("localhost", 25)] {
        let elsewhere = SmtpConfig { host: host.to_owned(), port, ..config(&server, Security::None) };
        let error = send(elsewhere, &HttpConfig::default(), &HTML).await.unwrap_err();
        assert_eq!(error.kind, ErrorKind::BlockedAddress, "{host}:{port}: {error:?}");
    }
    assert!(server.commands().is_empty());
}

#[tokio::test]
async fn a_configuration_that_would_tell_a_password_is_refused() {
    let server = MailServer::start(MailRules::default()).await;
    let dialler = || Arc::new(MailDialler::new(&local()).unwrap());
    let mut config = config(&server, Security::None);
    config.login = Some(("reader".to_owned(), Secret::new(WORD.to_owned())));
    assert_eq!(SmtpSink::new(config.clone(), dialler()).err().unwrap().kind, ErrorKind::InvalidConfig);
    config.login = None;
    config.to = vec!["no address\r\nBcc: x@y.example".to_owned()];
    assert_eq!(SmtpSink::new(config.clone(), dialler()).err().unwrap().kind, ErrorKind::InvalidConfig);
    config.to.clear();
    assert_eq!(SmtpSink::new(config, dialler()).err().unwrap().kind, ErrorKind::InvalidConfig);
}
