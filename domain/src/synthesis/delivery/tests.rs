//! What `synthesis::delivery` is held to.

use super::*;

fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).unwrap()
}

#[test]
fn a_delivery_that_fails_is_owed_until_it_is_given_up() {
    let mut record = DeliveryRecord::owed("run", "hook", at(0));
    for number in 1..MAX_ATTEMPTS {
        record = record.after(Attempt::Failed("no answer".to_owned()), at(i64::from(number)));
        assert_eq!((record.state, record.attempts), (DeliveryState::Owed, number));
    }
    record = record.after(Attempt::Failed("no answer".to_owned()), at(100));
    assert_eq!((record.state, record.problem.as_deref()), (DeliveryState::GivenUp, Some("no answer")));
    record = record.after(Attempt::Delivered, at(101));
    assert_eq!((record.state, record.problem, record.changed_at), (DeliveryState::Delivered, None, at(101)));
}

#[test]
fn the_key_tells_digests_and_sinks_apart_and_nothing_else() {
    let key = |tenant: &str, run: &str, sink: &str| idempotency_key(&TenantId(tenant.to_owned()), run, sink);
    assert_eq!(key("t", "run", "hook"), key("t", "run", "hook"));
    assert_eq!(key("t", "run", "hook").len(), 32);
    for other in [key("u", "run", "hook"), key("t", "run2", "hook"), key("t", "run", "mail"), key("t", "runh", "ook")] {
        assert_ne!(key("t", "run", "hook"), other);
    }
}

#[test]
fn every_state_has_a_word() {
    for state in [DeliveryState::Owed, DeliveryState::Delivered, DeliveryState::Skipped, DeliveryState::GivenUp] {
        assert_eq!(DeliveryState::parse(state.as_str()), Some(state));
    }
    assert_eq!(DeliveryState::parse("lost"), None);
}
