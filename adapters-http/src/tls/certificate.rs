//! Who issued a certificate, and to whom: just enough of X.509 to name the one that is missing.

/// The names in a certificate, as they are encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Names<'a> {
    /// Who signed it.
    pub(super) issuer: &'a [u8],
    /// Whom it is for.
    pub(super) subject: &'a [u8],
}

impl<'a> Names<'a> {
    /// Reads them, if the bytes are a certificate.
    pub(super) fn read(certificate: &'a [u8]) -> Option<Self> {
        let (body, _) = element(certificate, SEQUENCE)?;
        let (mut fields, _) = element(body, SEQUENCE)?;
        // The version is tagged, and left out in the oldest certificates.
        if let Some((_, rest)) = element(fields, VERSION) {
            fields = rest;
        }
        let (_serial, fields) = element(fields, INTEGER)?;
        let (_algorithm, fields) = element(fields, SEQUENCE)?;
        let (issuer, fields) = element(fields, SEQUENCE)?;
        let (_validity, fields) = element(fields, SEQUENCE)?;
        let (subject, _) = element(fields, SEQUENCE)?;
        Some(Self { issuer, subject })
    }

    /// Whether nobody but its owner vouches for it.
    pub(super) fn is_self_issued(&self) -> bool {
        self.issuer == self.subject
    }
}

/// A name for people: the common name, else the organisation.
pub(super) fn readable(name: &[u8]) -> String {
    attribute(name, COMMON_NAME)
        .or_else(|| attribute(name, ORGANISATION))
        .unwrap_or_else(|| "an authority without a name".to_owned())
}

fn attribute(mut name: &[u8], wanted: &[u8]) -> Option<String> {
    while let Some((set, rest)) = element(name, SET) {
        let mut set = set;
        while let Some((pair, others)) = element(set, SEQUENCE) {
            if let Some((kind, value)) = element(pair, OBJECT_IDENTIFIER)
                && kind == wanted
            {
                return text(value);
            }
            set = others;
        }
        name = rest;
    }
    None
}

/// A string of any of the types that names use; what does not belong into a message becomes a question mark.
fn text(value: &[u8]) -> Option<String> {
    let (content, _) = element(value, *value.first()?)?;
    let shown = String::from_utf8_lossy(content);
    Some(shown.chars().take(100).map(|letter| if letter.is_control() { '?' } else { letter }).collect())
}

/// The content of an element with that tag at the front, and what follows it.
fn element(bytes: &[u8], tag: u8) -> Option<(&[u8], &[u8])> {
    let (&found, rest) = bytes.split_first()?;
    let (&first, rest) = rest.split_first()?;
    if found != tag {
        return None;
    }
    let (length, rest) = match first {
        0..=0x7f => (usize::from(first), rest),
        0x81..=0x83 => {
            let (digits, rest) = rest.split_at_checked(usize::from(first & 0x0f))?;
            (digits.iter().fold(0, |length, &digit| length << 8 | usize::from(digit)), rest)
        }
        _ => return None,
    };
    rest.split_at_checked(length)
}

const INTEGER: u8 = 0x02;
const OBJECT_IDENTIFIER: u8 = 0x06;
const SEQUENCE: u8 = 0x30;
const SET: u8 = 0x31;
const VERSION: u8 = 0xa0;
const COMMON_NAME: &[u8] = &[0x55, 4, 3];
const ORGANISATION: &[u8] = &[0x55, 4, 10];
