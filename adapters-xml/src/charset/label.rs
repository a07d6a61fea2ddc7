//! What the name of an encoding means.

use encoding_rs::{Encoding, GB18030, GBK, WINDOWS_1252};

use super::seven_bit::SevenBit;

/// The name of an encoding, as somebody wrote it.
#[derive(Debug)]
pub(super) struct Label {
    text: String,
    encoding: Option<&'static Encoding>,
    seven_bit: Option<SevenBit>,
}

impl Label {
    /// Reads a name: the WHATWG's labels, and the names that other software writes.
    pub(super) fn of(text: &str) -> Self {
        let plain = text.trim().to_ascii_lowercase();
        let shown = plain.chars().filter(|c| c.is_ascii_graphic()).take(MAX_SHOWN).collect();
        Self { text: shown, encoding: known(&plain), seven_bit: SevenBit::of(&plain) }
    }

    /// The name, short and printable.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    pub(super) fn encoding(&self) -> Option<&'static Encoding> {
        self.encoding
    }

    pub(super) fn seven_bit(&self) -> Option<SevenBit> {
        self.seven_bit
    }

    /// Latin-1 and ASCII are what software writes when it does not know.
    pub(super) fn is_latin(&self) -> bool {
        self.encoding == Some(WINDOWS_1252)
    }

    /// Whether a document so labelled may be in the encoding of that name.
    pub(super) fn covers(&self, name: &str) -> bool {
        let Some(encoding) = self.encoding else {
            return self.seven_bit.is_some_and(|family| family.name() == name) || self.is_wide_form_of(name);
        };
        encoding.name().eq_ignore_ascii_case(name)
            || (encoding == GBK && name.eq_ignore_ascii_case(GB18030.name()))
            || self.is_wide_form_of(name)
    }

    /// `utf-16` stands for both byte orders, and so does `utf-32`.
    fn is_wide_form_of(&self, name: &str) -> bool {
        (name.starts_with("utf-16") || name.starts_with("utf-32")) && {
            let plain: String = self.text.chars().filter(char::is_ascii_alphanumeric).collect();
            let family: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
            plain.starts_with("utf16") && family.starts_with("utf16")
                || plain.starts_with("utf32") && family.starts_with("utf32")
                || matches!(plain.as_str(), "unicode" | "iso10646ucs2" | "ucs2" | "iso10646ucs4" | "ucs4")
        }
    }
}

fn known(plain: &str) -> Option<&'static Encoding> {
    if let Some(encoding) = Encoding::for_label_no_replacement(plain.as_bytes()) {
        return Some(encoding);
    }
    let bare: String = plain.chars().filter(char::is_ascii_alphanumeric).collect();
    let other = match bare.as_str() {
        "utf8" | "utf8mb4" | "utf8mb3" | "utf8n" | "cp65001" | "xutf8" | "unicodeutf8" => "utf-8",
        "cp936" | "ms936" | "windows936" | "gb2312" | "gb231280" | "gbk" | "euccn" | "xgbk" => "gbk",
        "gb18030" | "cp54936" => "gb18030",
        "cp950" | "ms950" | "windows950" | "big5" | "big5hkscs" => "big5",
        "cp932" | "ms932" | "windows31j" | "sjis" | "shiftjis" | "xsjis" => "shift_jis",
        "eucjp" | "ujis" => "euc-jp",
        "cp949" | "ms949" | "uhc" | "euckr" | "ksc56011987" | "ksc5601" => "euc-kr",
        "ascii" | "usascii" | "latin1" | "iso88591" | "cp1252" | "windows1252" | "win1252" | "ansi" => "windows-1252",
        "iso885915" | "latin9" => "iso-8859-15",
        "iso88592" | "latin2" => "iso-8859-2",
        "iso88595" => "iso-8859-5",
        "iso88597" => "iso-8859-7",
        "iso88598" => "iso-8859-8",
        "iso88599" | "latin5" => "windows-1254",
        "cp1250" | "windows1250" | "win1250" => "windows-1250",
        "cp1251" | "windows1251" | "win1251" => "windows-1251",
        "cp1253" | "windows1253" | "win1253" => "windows-1253",
        "cp1254" | "windows1254" | "win1254" => "windows-1254",
        "cp1255" | "windows1255" | "win1255" => "windows-1255",
        "cp1256" | "windows1256" | "win1256" => "windows-1256",
        "cp1257" | "windows1257" | "win1257" => "windows-1257",
        "cp1258" | "windows1258" | "win1258" => "windows-1258",
        "koi8" | "koi8r" | "cp20866" => "koi8-r",
        "koi8u" | "cp21866" => "koi8-u",
        "cp866" | "ibm866" | "dos866" => "ibm866",
        "maccyrillic" | "xmaccyrillic" => "x-mac-cyrillic",
        "macroman" | "mac" | "macintosh" => "macintosh",
        "tis620" | "cp874" | "windows874" => "windows-874",
        _ => return None,
    };
    Encoding::for_label(other.as_bytes())
}

/// So many characters of a strange name are shown.
const MAX_SHOWN: usize = 40;
