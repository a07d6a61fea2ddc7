//! What these tests share: pages, and deliveries of them.

use std::io;

use headwater_adapters_http::HttpConfig;
use headwater_domain::net::Exemptions;
use headwater_ports::{Delivery, Page};

/// A page of a text.
pub(super) struct Text(pub(super) &'static str, pub(super) &'static str);

impl Page for Text {
    fn content_type(&self) -> &'static str {
        self.0
    }

    fn ending(&self) -> &'static str {
        "json"
    }

    fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        self.1.chars().try_for_each(|letter| write!(out, "{letter}"))
    }
}

pub(super) const PLAIN: Text = Text("text/plain; charset=utf-8", "The digest, plainly: 電池.\n.\nA dot stood alone.\n");

pub(super) fn delivery<'a>(page: &'a Text) -> Delivery<'a> {
    Delivery {
        run_id: "0196e000-0000-7000-8000-00000000000a",
        idempotency_key: "0123456789abcdef0123456789abcdef",
        finished_at: "2026-05-20T12:01:00Z".parse().unwrap(),
        subject: "2 new articles from 1 source.",
        page,
        plain: &PLAIN,
    }
}

/// A client that may go to 127.0.0.1.
pub(super) fn local() -> HttpConfig {
    let mut exemptions = Exemptions::default();
    exemptions.add("127.0.0.1").unwrap();
    HttpConfig { exemptions, ..HttpConfig::default() }
}
