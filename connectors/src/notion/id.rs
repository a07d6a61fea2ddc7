//! What a Notion id looks like, and which link leads people to what it names.

/// The one form of an id: a UUID with dashes, in lower case. What is no UUID stays as it is.
pub(super) fn normal_id(text: &str) -> String {
    let digits: String = text.trim().chars().filter(|character| *character != '-').collect();
    if digits.len() != 32 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return text.trim().to_owned();
    }
    let digits = digits.to_ascii_lowercase();
    [&digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]].join("-")
}

/// Where people read it. The address that the service itself gives changes with the title; this one does not.
pub(super) fn stable_link(id: &str) -> String {
    format!("{SITE}/{}", id.replace('-', ""))
}

/// A link as it stands in a text, made whole: the service writes links within itself without their site.
pub(super) fn whole_link(href: &str) -> String {
    match href.strip_prefix('/') {
        Some(path) if !path.starts_with('/') => format!("{SITE}/{path}"),
        _ => without_signature(href),
    }
}

/// A signed address dies within the hour and is another at each reading: what signs it is taken out.
pub(super) fn without_signature(url: &str) -> String {
    match url.split_once('?') {
        Some((place, query)) if SIGNING.iter().any(|mark| query.contains(mark)) => place.to_owned(),
        _ => url.to_owned(),
    }
}

/// An id as a segment of a path. The service's ids of properties come percent-encoded and are not encoded again.
pub(super) fn segment(id: &str) -> String {
    let fits = |character: &char| character.is_ascii_alphanumeric() || "-_~%".contains(*character);
    id.chars().map(|character| if fits(&character) { character } else { '_' }).collect()
}

const SITE: &str = "https://www.notion.so";

const SIGNING: [&str; 3] = ["X-Amz-Signature=", "X-Amz-Credential=", "X-Amz-Security-Token="];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_has_one_form() {
        let dashed = "1a2b3c4d-0000-4000-8000-000000000001";
        assert_eq!(normal_id("1A2B3C4D000040008000000000000001"), dashed);
        assert_eq!(normal_id(dashed), dashed);
        assert_eq!(normal_id(" a1 "), "a1");
    }

    #[test]
    fn a_signature_is_taken_out_and_a_query_is_not() {
        assert_eq!(without_signature("https://f.test/a.pdf?X-Amz-Signature=1&x=2"), "https://f.test/a.pdf");
        assert_eq!(without_signature("https://f.test/a?page=2"), "https://f.test/a?page=2");
    }

    #[test]
    fn no_id_leaves_its_segment() {
        assert_eq!(segment("../users/me?x"), "___users_me_x");
        assert_eq!(segment("d%3B"), "d%3B");
    }
}
