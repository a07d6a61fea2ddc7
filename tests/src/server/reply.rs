//! What a server does with a request.

use std::time::Duration;

use bytes::Bytes;

/// An answer: a proper response, or acts on the bare connection.
#[derive(Debug, Clone)]
pub struct Reply(pub(super) Kind);

#[derive(Debug, Clone)]
pub(super) enum Kind {
    Proper { status: u16, headers: Vec<(String, String)>, body: Bytes },
    Raw(Vec<Act>),
}

/// One thing done on the bare connection.
#[derive(Debug, Clone)]
pub enum Act {
    /// Sends bytes.
    Send(Bytes),
    /// Sends the same bytes so many times.
    Repeat(Bytes, u64),
    /// Sends the same bytes until the client has gone away.
    Flood(Bytes),
    /// Sends the same bytes again and again, so long apart, until the client has gone away.
    Trickle(Bytes, Duration),
    /// Does nothing until the client has gone away.
    Hang,
    /// Closes the connection.
    Close,
}

impl Reply {
    /// A response with that status and an empty body.
    pub fn new(status: u16) -> Self {
        Self(Kind::Proper { status, headers: Vec::new(), body: Bytes::new() })
    }

    /// A 200 with that body.
    pub fn ok(body: impl Into<Bytes>) -> Self {
        Self::new(200).body(body)
    }

    /// A redirect.
    pub fn redirect(status: u16, location: &str) -> Self {
        Self::new(status).header("Location", location)
    }

    /// Acts in their order; afterwards the next request of the connection is read.
    pub fn raw(acts: impl IntoIterator<Item = Act>) -> Self {
        Self(Kind::Raw(acts.into_iter().collect()))
    }

    /// Adds a header.
    ///
    /// # Panics
    /// The reply is a raw one.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        let Kind::Proper { headers, .. } = &mut self.0 else { panic!("a raw reply has no headers of its own") };
        headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Sets the body; its length is sent along.
    ///
    /// # Panics
    /// The reply is a raw one.
    #[must_use]
    pub fn body(mut self, content: impl Into<Bytes>) -> Self {
        let Kind::Proper { body, .. } = &mut self.0 else { panic!("a raw reply has no body of its own") };
        *body = content.into();
        self
    }

    /// The acts of a reply over HTTP/1.1.
    pub(super) fn into_acts(self) -> Vec<Act> {
        let (status, headers, body) = match self.0 {
            Kind::Raw(acts) => return acts,
            Kind::Proper { status, headers, body } => (status, headers, body),
        };
        let mut head = format!("HTTP/1.1 {status} {}\r\n", reason(status));
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        if !matches!(status, 100..=199 | 204 | 304) {
            head.push_str(&format!("Content-Length: {}\r\n", body.len()));
        }
        head.push_str("\r\n");
        vec![Act::Send(head.into()), Act::Send(body)]
    }
}

impl Act {
    /// Sends bytes.
    pub fn send(bytes: impl Into<Bytes>) -> Self {
        Self::Send(bytes.into())
    }
}

fn reason(status: u16) -> &'static str {
    match status {
        200 => "OK",
        226 => "IM Used",
        301 => "Moved Permanently",
        302 => "Found",
        304 => "Not Modified",
        404 => "Not Found",
        410 => "Gone",
        429 => "Too Many Requests",
        503 => "Service Unavailable",
        _ => "Status",
    }
}
