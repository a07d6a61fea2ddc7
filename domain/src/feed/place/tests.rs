//! What `place` is held to.

use super::Place;

#[track_caller]
fn check(text: &str, expected: Option<(f64, f64)>) {
    assert_eq!(Place::parse(text).map(|place| (place.latitude(), place.longitude())), expected, "{text:?}");
}

#[test]
fn points_as_feeds_write_them() {
    check("45.256 -71.92", Some((45.256, -71.92)));
    check(" 45.256,\n-71.92 ", Some((45.256, -71.92)));
    check("-90 180 12", Some((-90.0, 180.0)));
    check("90.01 0", None);
    check("0 -180.5", None);
    check("NaN 0", None);
    check("inf 0", None);
    check("45.2", None);
    check("1 2 3 4", None);
    check("north east", None);
    check("", None);
}
