//! Places that look alike must not be taken for each other.

use headwater_domain::synthesis::source::TenantId;

use super::*;

#[test]
fn no_two_places_give_the_same_associated_data() {
    let places =
        [("t", "ab", "c"), ("t", "a", "bc"), ("ta", "b", "c"), ("", "tab", "c"), ("t", "abc", ""), ("t", "ab", "C")];
    let mut data: Vec<_> = places
        .map(|(tenant, owner, field)| associated_data(&SecretPlace::new(&TenantId(tenant.to_owned()), owner, field)))
        .into();
    data.sort();
    data.dedup();
    assert_eq!(data.len(), places.len());
}

#[test]
fn a_short_body_opens_nothing() {
    let key = Key::new("k", &[7; 32]).unwrap();
    for length in 0..NONCE_LEN + TAG_LEN {
        assert!(key.open(&[], vec![0; length]).is_none(), "{length}");
    }
    assert!(Key::new("k", &[7; 31]).is_none());
}
