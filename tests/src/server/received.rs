//! A request as a server read it.

/// A request as it came in.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Received {
    /// `http` or `https`.
    pub scheme: &'static str,
    /// `GET`, for example.
    pub method: String,
    /// The request target, byte for byte.
    pub target: String,
    /// Names as they were written, values byte for byte.
    pub headers: Vec<(String, Vec<u8>)>,
    /// The body.
    pub body: Vec<u8>,
    /// The number of the connection that it came over, from 0 on.
    pub connection: usize,
}

impl Received {
    /// The target up to its query.
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    /// The values of a header, by its name in any case.
    pub fn values(&self, name: &str) -> Vec<String> {
        let named = self.headers.iter().filter(|(known, _)| known.eq_ignore_ascii_case(name));
        named.map(|(_, value)| String::from_utf8_lossy(value).into_owned()).collect()
    }

    /// The only value of a header.
    pub fn value(&self, name: &str) -> Option<String> {
        match self.values(name).as_slice() {
            [only] => Some(only.clone()),
            _ => None,
        }
    }

    /// The host that was asked, without its port.
    pub fn host(&self) -> String {
        let host = self.value("host").or_else(|| self.value(":authority")).unwrap_or_default();
        host.rsplit_once(':').map_or(host.as_str(), |(name, _)| name).to_owned()
    }

    /// Reads the head of an HTTP/1.1 request, without the empty line.
    pub(super) fn parse(head: &[u8]) -> Option<Self> {
        let mut lines = head.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line));
        let mut words = std::str::from_utf8(lines.next()?).ok()?.split(' ');
        let (method, target) = (words.next()?.to_owned(), words.next()?.to_owned());
        let headers = lines.filter(|line| !line.is_empty()).map(header).collect::<Option<_>>()?;
        Some(Self { method, target, headers, ..Self::default() })
    }
}

fn header(line: &[u8]) -> Option<(String, Vec<u8>)> {
    let colon = line.iter().position(|byte| *byte == b':')?;
    let name = String::from_utf8(line[..colon].to_vec()).ok()?;
    Some((name, line[colon + 1..].trim_ascii().to_vec()))
}
