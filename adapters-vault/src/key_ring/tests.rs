//! Sealing and opening, with the right keys and the wrong ones.

use headwater_domain::synthesis::source::TenantId;
use proptest::prelude::*;

use super::*;

#[test]
fn what_is_sealed_opens_at_its_place_alone() {
    let ring = ring(&[K1]);
    let sealed = ring.seal(&place("url"), &secret("hunter2")).unwrap();
    assert_eq!(sealed.key_id, "k1");
    assert!(sealed.text.starts_with("enc:v2:k1:") && !sealed.text.contains("hunter2"));
    assert_eq!(ring.open(&place("url"), &sealed.text).unwrap().expose(), "hunter2");
    check_unreadable(&ring, &place("headers"), &sealed.text);
    let other = SecretPlace::new(&TenantId("other".to_owned()), "s1", "url");
    check_unreadable(&ring, &other, &sealed.text);
}

#[test]
fn the_same_secret_is_sealed_differently_each_time() {
    let ring = ring(&[K1]);
    let texts: std::collections::HashSet<_> =
        (0..100).map(|_| ring.seal(&place("url"), &secret("hunter2")).unwrap().text).collect();
    assert_eq!(texts.len(), 100);
}

#[test]
fn an_old_key_opens_and_the_first_key_seals() {
    let old = ring(&[K1]).seal(&place("url"), &secret("hunter2")).unwrap();
    let ring = ring(&[K2, K1]);
    assert_eq!(ring.open(&place("url"), &old.text).unwrap().expose(), "hunter2");
    assert_eq!(ring.seal(&place("url"), &secret("x")).unwrap().key_id, "k2");
    assert_eq!((ring.active_key().as_deref(), ring.keys().len()), (Some("k2"), 2));
    check_unreadable(&self::ring(&[K2]), &place("url"), &old.text);
}

#[test]
fn the_same_id_with_another_key_opens_nothing() {
    let sealed = ring(&[K1]).seal(&place("url"), &secret("hunter2")).unwrap();
    let impostor = K2.replace("k2:", "k1:");
    check_unreadable(&ring(&[&impostor]), &place("url"), &sealed.text);
}

#[test]
fn every_change_of_a_sealed_text_is_noticed() {
    let ring = ring(&[K1]);
    let sealed = ring.seal(&place("url"), &secret("hunter2")).unwrap().text;
    for index in "enc:v2:k1:".len()..sealed.len() {
        let mut text = sealed.clone().into_bytes();
        text[index] = if text[index] == b'A' { b'B' } else { b'A' };
        check_unreadable(&ring, &place("url"), &String::from_utf8(text).unwrap());
        check_unreadable(&ring, &place("url"), &sealed[..index]);
    }
}

#[test]
fn texts_of_an_older_system_open() {
    // AES-256-GCM without associated data over `legacy-token`, key `0123456789abcdef0123456789abcdef`, nonce of twelve 1s,
    // made with another implementation.
    let ring = ring(&["v1:0123456789abcdef0123456789abcdef", K1]);
    assert_eq!(ring.open(&place("any"), V1_TEXT).unwrap().expose(), "legacy-token");
    assert_eq!(ring.open(&place("any"), "a plain token").unwrap().expose(), "a plain token");
    assert_eq!(ring.active_key().as_deref(), Some("k1"), "the old key never seals");
    check_unreadable(&self::ring(&[K1]), &place("any"), V1_TEXT);
    check_unreadable(&self::ring(&["v1:fedcba98765432100123456789abcdef"]), &place("any"), V1_TEXT);
    check_unreadable(&ring, &place("any"), "enc:v9:whatever");
}

#[test]
fn without_a_key_nothing_is_sealed() {
    let ring = KeyRing::parse(" \n").unwrap();
    let error = ring.seal(&place("url"), &secret("hunter2")).unwrap_err();
    assert_eq!(error.kind, ErrorKind::InvalidConfig);
    assert!(error.hint.unwrap().contains("headwater key generate"));
    let legacy_only = self::ring(&["v1:0123456789abcdef0123456789abcdef"]);
    assert!(legacy_only.seal(&place("url"), &secret("hunter2")).is_err());
}

#[test]
fn a_wrong_entry_is_named_without_its_key() {
    for (text, expected) in [
        ("no-colon-in-QUVTLXNlY3JldA", "key 1: it has no"),
        (":QUVTLXNlY3JldA", "key 1: its id"),
        ("K1:QUVTLXNlY3JldA", "key 1: its id"),
        ("k1:QUVTLXNlY3JldA", "key 1: the key is not 32 bytes"),
        (&format!("{K1},{K1}"), "key 2: its id is that of an earlier key"),
        ("k1:!!!!QUVTLXNlY3JldAAAAAAAAAAAAAAAAAAAAAAAAAA", "key 1: the key is not 32 bytes"),
    ] {
        let error = KeyRing::parse(text).unwrap_err();
        assert_eq!(error.kind, ErrorKind::InvalidConfig);
        assert!(error.detail.contains(expected), "{}", error.detail);
        assert!(!format!("{error:?}").contains("QUVTLXNlY3JldA"), "{error:?}");
    }
}

#[test]
fn a_ring_shows_no_key() {
    let shown = format!("{:?}", ring(&[K1, K2]));
    assert!(shown.contains("k1") && !shown.contains(&K1[3..10]), "{shown}");
}

#[test]
fn a_new_key_is_an_entry_of_a_ring_and_never_the_same() {
    let (one, other) = (new_key("k1").unwrap(), new_key("k1").unwrap());
    assert_ne!(one.expose(), other.expose());
    assert_eq!(KeyRing::parse(one.expose()).unwrap().keys(), ["k1"]);
}

proptest! {
    #[test]
    fn any_secret_comes_back(plain in ".*", field in ".*") {
        let ring = ring(&[K1]);
        let sealed = ring.seal(&place(&field), &secret(&plain)).unwrap();
        let opened = ring.open(&place(&field), &sealed.text).unwrap();
        prop_assert_eq!(opened.expose(), &plain);
    }

    #[test]
    fn any_text_is_read_without_panic(text in ".*", ring_text in ".*") {
        let _ = KeyRing::parse(&ring_text);
        for prefix in ["", "enc:", "enc:v1:", "enc:v2:", "enc:v2:k1:"] {
            let _ = ring(&[K1]).open(&place("url"), &format!("{prefix}{text}"));
        }
    }
}

#[track_caller]
fn check_unreadable(ring: &KeyRing, place: &SecretPlace, text: &str) {
    let error = ring.open(place, text).unwrap_err();
    assert_eq!(error.kind, ErrorKind::CredentialsUnreadable, "{error}");
    assert!(!format!("{error:?}").contains("hunter2"));
}

fn ring(entries: &[&str]) -> KeyRing {
    KeyRing::parse(&entries.join(",")).unwrap()
}

fn place(field: &str) -> SecretPlace {
    SecretPlace::new(&TenantId::default(), "s1", field)
}

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

const K1: &str = "k1:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8";
const K2: &str = "k2:Hx4dHBsaGRgXFhUUExIREA8ODQwLCgkIBwYFBAMCAQA";
const V1_TEXT: &str = "enc:v1:AQEBAQEBAQEBAQEBUnGqX1wfRHLK6RpMB86Van75NCSdlwHLc8chcA";
