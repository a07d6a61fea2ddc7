//! When two URLs are one, and how a URL is shown to people.

use std::borrow::Cow;
use std::fmt::Write;

use url::{Host, Url};

/// The dedupe key of a URL: what stays when everything that leads to the same page is folded.
///
/// Scheme and host in lower case and ASCII, the default port, user information and the fragment gone, dot segments
/// resolved, percent-encoding undone where it was not needed and in upper case where it is, tracking parameters removed,
/// the others in their order. The URL that is fetched and stored stays as published. Normalising twice changes nothing.
///
/// ```
/// # use headwater_domain::net::normal_form;
/// let url = "HTTPS://Bücher.Example:443/a/../%7Efeed?b=2&utm_source=x&a=1#top".parse().unwrap();
/// assert_eq!(normal_form(&url), "https://xn--bcher-kva.example/~feed?b=2&a=1");
/// ```
pub fn normal_form(url: &Url) -> String {
    assemble(url, |host| Cow::Borrowed(host), normal_escapes)
}

/// The normal form with international names and letters readable.
///
/// A host label that mixes scripts in the way of a look-alike stays in its ASCII form, and nothing invisible or
/// direction-changing is decoded.
pub fn display_form(url: &Url) -> String {
    assemble(url, |host| Cow::Owned(readable_host(host)), readable)
}

fn assemble(url: &Url, show_host: impl Fn(&str) -> Cow<'_, str>, show: impl Fn(&str) -> String) -> String {
    let Some(host) = url.host() else {
        return url.as_str().to_owned();
    };
    let mut form = format!("{}://", url.scheme());
    match host {
        Host::Domain(name) => form.push_str(&show_host(name.trim_end_matches('.'))),
        address => form.push_str(&address.to_string()),
    }
    if let Some(port) = url.port() {
        write!(form, ":{port}").expect("writing to a string cannot fail");
    }
    form.push_str(&show(if url.path().is_empty() { "/" } else { url.path() }));
    let mut separator = '?';
    for pair in url.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty() && !is_tracking(pair)) {
        form.push(separator);
        form.push_str(&show(pair));
        separator = '&';
    }
    form
}

/// Whether a `name=value` only tells a site where its visitor came from.
fn is_tracking(pair: &str) -> bool {
    let name = normal_escapes(pair.split('=').next().unwrap_or_default()).to_ascii_lowercase();
    TRACKING_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) || TRACKING_NAMES.contains(&name.as_str())
}

/// Undoes the percent-encoding of unreserved characters and writes the rest in upper case.
fn normal_escapes(text: &str) -> String {
    rewrite_escapes(text, |run, out| {
        for &byte in run {
            match byte {
                b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
                _ if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
                _ => push_escape(byte, out),
            }
        }
    })
}

/// As [`normal_escapes`], and letters outside ASCII become readable.
fn readable(text: &str) -> String {
    rewrite_escapes(&normal_escapes(text), |run, out| {
        for chunk in run.utf8_chunks() {
            for letter in chunk.valid().chars() {
                if !letter.is_ascii() && letter.is_alphanumeric() {
                    out.push(letter);
                } else {
                    letter.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_escape(byte, out));
                }
            }
            chunk.invalid().iter().for_each(|&byte| push_escape(byte, out));
        }
    })
}

/// Gives every run of `%XX` to `rewrite` as bytes and copies what stands between.
fn rewrite_escapes(text: &str, rewrite: impl Fn(&[u8], &mut String)) -> String {
    let mut out = String::with_capacity(text.len());
    let mut run = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        if let Some(byte) = leading_escape(rest.as_bytes()) {
            run.push(byte);
            rest = &rest[3..];
            continue;
        }
        rewrite(&run, &mut out);
        run.clear();
        let (head, tail) = rest.split_at(first.len_utf8());
        let plain = tail.find('%').unwrap_or(tail.len());
        // A percent sign that begins no escape would begin one once its successors are decoded.
        out.push_str(if head == "%" { "%25" } else { head });
        out.push_str(&tail[..plain]);
        rest = &tail[plain..];
    }
    rewrite(&run, &mut out);
    out
}

fn leading_escape(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = bytes else { return None };
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    u8::try_from(digit(high)? << 4 | digit(low)?).ok()
}

fn push_escape(byte: u8, out: &mut String) {
    write!(out, "%{byte:02X}").expect("writing to a string cannot fail");
}

/// The host with each label in Unicode where that is honest and leads back to the same name.
fn readable_host(host: &str) -> String {
    let labels: Vec<String> = host.split('.').map(readable_label).collect();
    let shown = labels.join(".");
    let same = Host::parse(&shown).is_ok_and(|back| matches!(back, Host::Domain(back) if back == host));
    if same { shown } else { host.to_owned() }
}

fn readable_label(label: &str) -> String {
    let (shown, sound) = idna::domain_to_unicode(label);
    if sound.is_err() || looks_mixed(&shown) { label.to_owned() } else { shown }
}

/// Whether Latin, Greek and Cyrillic letters, which have look-alikes in each other, stand in one label, or a label is made
/// of look-alikes alone.
fn looks_mixed(label: &str) -> bool {
    let latin = label.chars().any(|letter| matches!(letter, 'a'..='z' | '\u{df}'..='\u{24f}'));
    let greek = label.chars().any(|letter| matches!(letter, '\u{370}'..='\u{3ff}'));
    let cyrillic = label.chars().any(|letter| matches!(letter, '\u{400}'..='\u{52f}'));
    let disguise =
        cyrillic && label.chars().all(|letter| !letter.is_alphabetic() || "асԁеһіјӏорԛѕԝхуъЬғ".contains(letter));
    usize::from(latin) + usize::from(greek) + usize::from(cyrillic) > 1 || disguise
}

const TRACKING_PREFIXES: &[&str] = &["utm_", "hsa_", "mtm_", "piwik_", "matomo_"];

const TRACKING_NAMES: &[&str] = &[
    "fbclid",
    "gclid",
    "gclsrc",
    "dclid",
    "gbraid",
    "wbraid",
    "gad_source",
    "gad_campaignid",
    "srsltid",
    "msclkid",
    "yclid",
    "ysclid",
    "ymclid",
    "twclid",
    "ttclid",
    "li_fat_id",
    "epik",
    "mc_cid",
    "mc_eid",
    "mc_tc",
    "igshid",
    "igsh",
    "spm",
    "spm_id_from",
    "vd_source",
    "mkt_tok",
    "_hsenc",
    "_hsmi",
    "__hssc",
    "__hstc",
    "__hsfp",
    "hsctatracking",
    "vero_id",
    "vero_conv",
    "oly_anon_id",
    "oly_enc_id",
    "_openstat",
    "wickedid",
    "rb_clickid",
    "s_cid",
    "pk_campaign",
    "pk_kwd",
    "pk_keyword",
    "pk_source",
    "pk_medium",
    "pk_content",
    "pk_cid",
    "_ga",
    "_gl",
    "__s",
    "ml_subscriber",
    "ml_subscriber_hash",
    "sc_cid",
    "dm_i",
    "irclickid",
    "cmpid",
    "ncid",
];

#[cfg(test)]
mod tests;
