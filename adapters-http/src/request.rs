//! What a request looks like on the wire.

use bytes::Bytes;
use headwater_domain::ErrorKind;
use headwater_ports::{Error, Header, Method};
use http::header::{
    ACCEPT, ACCEPT_ENCODING, AUTHORIZATION, CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, HeaderValue, USER_AGENT,
};
use http::uri::PathAndQuery;
use http::{Request, Uri};
use http_body_util::Full;
use url::Url;

use crate::coding;
use crate::connection::Protocol;
use crate::credentials::Basic;
use crate::error::failure;

/// The headers of an exchange, and which of them stay with the first origin.
#[derive(Debug)]
pub(crate) struct Headers {
    /// Those for everybody.
    open: HeaderMap,
    /// Those for the first origin only.
    secret: HeaderMap,
    basic: Option<Basic>,
}

impl Headers {
    /// Puts the client's defaults and the caller's headers together; the caller's replace those of the same name.
    ///
    /// # Errors
    /// `invalid_config` for what is no header, or would change the framing of the message.
    pub(crate) fn new(user_agent: &HeaderValue, basic: Option<Basic>, own: &[Header]) -> Result<Self, Error> {
        let mut open = HeaderMap::new();
        open.insert(ACCEPT, HeaderValue::from_static("*/*"));
        open.insert(ACCEPT_ENCODING, HeaderValue::from_static(coding::ACCEPT_ENCODING));
        open.insert(USER_AGENT, user_agent.clone());
        let mut secret = HeaderMap::new();
        for header in own {
            let name: HeaderName = header.name.trim().parse().map_err(|_| unusable(&header.name))?;
            if FRAMING.contains(&name.as_str()) {
                return Err(unusable(&header.name));
            }
            let mut value = HeaderValue::from_bytes(header.value.expose()).map_err(|_| unusable(&header.name))?;
            if !secret.contains_key(&name) && DEFAULTS.contains(&name) {
                open.remove(&name);
            }
            if header.secret || name == AUTHORIZATION || name == COOKIE {
                value.set_sensitive(true);
                secret.append(name, value);
            } else {
                open.append(name, value);
            }
        }
        Ok(Self { open, secret, basic })
    }

    /// Forgets what must not leave the first origin. There is no way back: whoever redirects there and back again could
    /// choose where on the first origin the secrets arrive.
    pub(crate) fn leave_origin(&mut self) {
        self.secret.clear();
        self.basic = None;
    }

    /// Takes on the user information of a redirect's target.
    pub(crate) fn adopt(&mut self, basic: Basic) {
        self.secret.remove(AUTHORIZATION);
        self.basic = Some(basic);
    }

    fn for_url(&self, url: &Url) -> HeaderMap {
        let mut headers = self.open.clone();
        headers.extend(self.secret.iter().map(|(name, value)| (name.clone(), value.clone())));
        let basic = self.basic.as_ref().filter(|_| !headers.contains_key(AUTHORIZATION));
        if let Some(Ok(mut value)) = basic.and_then(|basic| basic.header_for(url)).map(HeaderValue::from_str) {
            value.set_sensitive(true);
            headers.insert(AUTHORIZATION, value);
        }
        headers
    }
}

/// A request for a URL without user information.
///
/// # Errors
/// `invalid_url` for what cannot be written in a request line.
pub(crate) fn build(
    url: &Url,
    method: &Method,
    headers: &Headers,
    protocol: Protocol,
) -> Result<Request<Full<Bytes>>, Error> {
    let (method, body) = match method {
        Method::Get => (http::Method::GET, Bytes::new()),
        Method::Post(body) => (http::Method::POST, body.clone()),
    };
    let authority = &url[url::Position::BeforeHost..url::Position::AfterPort];
    let mut request = Request::new(Full::new(body));
    *request.headers_mut() = headers.for_url(url);
    match protocol {
        Protocol::One => {
            let host = HeaderValue::from_str(authority).map_err(|_| unwritable())?;
            request.headers_mut().insert(HOST, host);
            *request.uri_mut() = target(url)?.into();
        }
        Protocol::Two => {
            let whole = Uri::builder().scheme(url.scheme()).authority(authority).path_and_query(target(url)?);
            *request.uri_mut() = whole.build().map_err(|_| unwritable())?;
            *request.version_mut() = http::Version::HTTP_2;
        }
    }
    if method == http::Method::GET {
        request.headers_mut().remove(CONTENT_TYPE);
    }
    *request.method_mut() = method;
    Ok(request)
}

/// Path and query as a request line has them.
fn target(url: &Url) -> Result<PathAndQuery, Error> {
    let text = &url[url::Position::BeforePath..url::Position::AfterQuery];
    let written = match text.contains(UNWRITABLE) {
        false => PathAndQuery::try_from(text),
        true => PathAndQuery::from_maybe_shared(Bytes::from(escaped(text))),
    };
    written.map_err(|_| unwritable())
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match UNWRITABLE.contains(&letter) {
            true => escaped.push_str(&format!("%{:02X}", u32::from(letter))),
            false => escaped.push(letter),
        }
    }
    escaped
}

fn unwritable() -> Error {
    failure(ErrorKind::InvalidUrl, "the URL cannot be written in a request")
}

fn unusable(name: &str) -> Error {
    let name: String = name.chars().take(60).collect();
    failure(ErrorKind::InvalidConfig, format!("the header {name:?} cannot be sent"))
}

/// The URL standard leaves these as they are; a request line has no place for them.
const UNWRITABLE: [char; 9] = ['`', '<', '>', '"', '{', '}', '^', '|', '\\'];

/// Headers that the client writes itself: a wrong one would end in a misunderstanding with the server.
const FRAMING: &[&str] = &[
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

const DEFAULTS: &[HeaderName] = &[ACCEPT, ACCEPT_ENCODING, USER_AGENT];

#[cfg(test)]
mod tests;
