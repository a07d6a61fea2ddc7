//! What a digest looks like as a mail.

use std::time::SystemTime;

use headwater_domain::ErrorKind;
use headwater_ports::{Delivery, Page, Result};
use lettre::Message;
use lettre::message::header::{ContentType, Header, HeaderName, HeaderValue};
use lettre::message::{Attachment, Mailbox, MultiPart, SinglePart};

use super::failure;

/// A mail with the digest: HTML with its plain text beside it, plain text alone, or plain text with a file.
pub(super) fn write(from: &Mailbox, to: &[Mailbox], delivery: &Delivery<'_>) -> Result<Message> {
    let mut builder = Message::builder()
        .from(from.clone())
        .subject(delivery.subject)
        .date(SystemTime::from(delivery.finished_at))
        .message_id(Some(format!("<{}@headwater.invalid>", delivery.idempotency_key)))
        .header(AutoSubmitted);
    for mailbox in to {
        builder = builder.to(mailbox.clone());
    }
    let content_type = delivery.page.content_type();
    let plain = || text(delivery.plain);
    let message = match content_type.split(';').next().unwrap_or_default() {
        "text/html" => builder.multipart(MultiPart::alternative_plain_html(plain()?, text(delivery.page)?)),
        "text/plain" | "text/markdown" => builder.singlepart(SinglePart::plain(text(delivery.page)?)),
        _ => {
            let kind = ContentType::parse(content_type)
                .map_err(|error| failure(ErrorKind::Internal, "the digest has no media type").with_source(error))?;
            let file = Attachment::new(format!("digest.{}", delivery.page.ending()));
            let mixed = MultiPart::mixed().singlepart(SinglePart::plain(plain()?));
            builder.multipart(mixed.singlepart(file.body(text(delivery.page)?, kind)))
        }
    };
    message.map_err(|error| failure(ErrorKind::Internal, "the mail could not be written").with_source(error))
}

fn text(page: &dyn Page) -> Result<String> {
    let mut bytes = Vec::new();
    let rendered = page.write_to(&mut bytes);
    rendered
        .map_err(|error| failure(ErrorKind::Internal, "the digest could not be rendered").with_source(error))
        .map(|()| String::from_utf8_lossy(&bytes).into_owned())
}

/// RFC 3834: a program wrote this, and wants no automatic answer.
#[derive(Debug, Clone)]
struct AutoSubmitted;

impl Header for AutoSubmitted {
    fn name() -> HeaderName {
        HeaderName::new_from_ascii_str("Auto-Submitted")
    }

    fn parse(_: &str) -> Result<Self, Box<dyn std::error::Error + Send + Sync>> {
        Ok(Self)
    }

    fn display(&self) -> HeaderValue {
        HeaderValue::new(Self::name(), "auto-generated".to_owned())
    }
}
