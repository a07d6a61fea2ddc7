//! Which links the `Link` headers of a response announce (RFC 8288).

/// One link of a `Link` header: its target as written, and its parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderLink {
    /// The target, relative to the URL of the response.
    pub target: String,
    /// Names in lower case and decoded values, in order.
    pub parameters: Vec<(String, String)>,
}

impl HeaderLink {
    /// The first parameter of that name (in lower case); later ones do not count.
    pub fn parameter(&self, name: &str) -> Option<&str> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Whether `rel` has that token (in lower case).
    pub fn has_rel(&self, token: &str) -> bool {
        self.parameter("rel")
            .is_some_and(|rel| rel.split_ascii_whitespace().any(|word| word.eq_ignore_ascii_case(token)))
    }

    /// What the link is called: `title*` wins over `title`.
    pub fn title(&self) -> Option<&str> {
        self.parameter("title*").or_else(|| self.parameter("title")).filter(|title| !title.is_empty())
    }
}

/// Reads one header value, which may hold several links. What cannot be read is left out; linear in the value.
pub fn parse_link_header(value: &str) -> Vec<HeaderLink> {
    let mut links = Vec::new();
    let mut rest = value;
    while let Some(start) = rest.find('<') {
        let Some(end) = rest[start..].find('>').map(|length| start + length) else { break };
        let target = rest[start + 1..end].trim().to_owned();
        let (parameters, after) = parameters(&rest[end + 1..]);
        links.push(HeaderLink { target, parameters });
        rest = after;
        if links.len() == MAX_LINKS {
            break;
        }
    }
    links
}

/// Reads `; name=value` as long as they follow, and gives what comes after the comma.
fn parameters(text: &str) -> (Vec<(String, String)>, &str) {
    let mut found = Vec::new();
    let mut rest = text.trim_start();
    while let Some(after) = rest.strip_prefix(';') {
        let after = after.trim_start();
        let end = after.find(['=', ';', ',']).unwrap_or(after.len());
        let name = after[..end].trim().to_ascii_lowercase();
        rest = &after[end..];
        let mut value = String::new();
        if let Some(after) = rest.strip_prefix('=') {
            (value, rest) = parameter_value(after.trim_start());
        }
        if !name.is_empty() {
            let value = if name.ends_with('*') { extended(&value).unwrap_or_default() } else { value };
            found.push((name, value));
        }
        rest = rest.trim_start();
    }
    let next = rest.find(',').map_or("", |comma| &rest[comma + 1..]);
    (found, next)
}

/// A quoted string or a token, and what follows.
fn parameter_value(text: &str) -> (String, &str) {
    let Some(quoted) = text.strip_prefix('"') else {
        let end = text.find([';', ',']).unwrap_or(text.len());
        return (text[..end].trim().to_owned(), &text[end..]);
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (value, &quoted[at + 1..]),
            '\\' => value.extend(characters.next().map(|(_, escaped)| escaped)),
            other => value.push(other),
        }
    }
    (value, "")
}

/// The value of an extended parameter (RFC 8187), `charset'language'percent-encoded`, in UTF-8.
fn extended(value: &str) -> Option<String> {
    let mut parts = value.splitn(3, '\'');
    let (charset, _, encoded) = (parts.next()?, parts.next()?, parts.next()?);
    if !charset.eq_ignore_ascii_case("utf-8") {
        return None;
    }
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.as_bytes();
    while let [first, after @ ..] = rest {
        let escaped = (*first == b'%').then(|| after.get(..2).and_then(hex)).flatten();
        bytes.push(escaped.unwrap_or(*first));
        rest = &after[if escaped.is_some() { 2 } else { 0 }..];
    }
    String::from_utf8(bytes).ok()
}

fn hex(digits: &[u8]) -> Option<u8> {
    let text = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u8::from_str_radix(text, 16).ok()
}

const MAX_LINKS: usize = 100;

#[cfg(test)]
mod tests;
