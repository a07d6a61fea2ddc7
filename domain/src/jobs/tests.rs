//! What `jobs` is held to.

use super::*;
use crate::synthesis::source::TenantId;

fn schedule(next_fire: Option<&str>) -> Schedule {
    Schedule {
        tenant: TenantId("t".to_owned()),
        id: ScheduleId("0198".to_owned()),
        owner: "a data source".to_owned(),
        expression: "0 3 * * *".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        kind: "sync".to_owned(),
        payload: "{}".to_owned(),
        next_fire: next_fire.map(|text| text.parse().unwrap()),
    }
}

#[test]
fn a_slot_rings_under_the_name_of_schedule_and_time() {
    let ring = schedule(Some("2026-11-30T02:00:00Z")).ring(5).unwrap();
    assert_eq!(ring.key, "0198@2026-11-30T02:00:00Z");
    assert_eq!((ring.kind.as_str(), ring.max_attempts), ("sync", 5));
    assert_eq!(ring.not_before.to_string(), "2026-11-30T02:00:00Z");
    assert_ne!(schedule(Some("2026-12-01T02:00:00Z")).ring(5).unwrap().key, ring.key);
}

#[test]
fn a_paused_schedule_rings_for_nothing() {
    assert_eq!(schedule(None).ring(5), None);
}
