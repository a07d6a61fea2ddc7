//! What a [`ScheduleStore`] promises, together with the queue that it rings.
#![expect(
    missing_docs,
    clippy::unwrap_used,
    reason = "a check is named by the promise that it tests, and fails by panicking"
)]

use std::sync::Arc;
use std::time::Duration;

use headwater_domain::jobs::{Schedule, ScheduleId};
use headwater_domain::synthesis::source::TenantId;
use headwater_ports::{JobQueue, ScheduleStore};
use jiff::Timestamp;

/// Makes tests, or a list, of every promise of a `ScheduleStore`.
#[macro_export]
macro_rules! schedule_store_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] schedule_store: [
            a_schedule_comes_back_as_it_was_saved,
            a_schedule_is_replaced_and_removed,
            what_is_due_comes_the_longest_due_first,
            a_fired_slot_rings_and_names_the_next,
            a_slot_that_another_fired_is_refused,
            missed_slots_fire_once,
            a_paused_schedule_never_fires,
            a_slot_whose_job_is_there_rings_once,
            schedules_of_tenants_never_meet,
            of_sixteen_instances_one_fires_each_slot,
        ] }
    };
}

pub async fn a_schedule_comes_back_as_it_was_saved(store: Arc<impl ScheduleStore>) {
    let given = schedule("b", Some(0));
    let paused = Schedule { owner: "'; -- ü".to_owned(), ..schedule("a", None) };
    for one in [&given, &paused] {
        store.save_schedule(one).await.unwrap();
    }
    assert_eq!(store.schedule(&tenant(), &given.id).await.unwrap(), Some(given.clone()));
    assert_eq!(store.schedules(&tenant()).await.unwrap(), [paused, given]);
    assert_eq!(store.schedule(&tenant(), &ScheduleId("c".to_owned())).await.unwrap(), None);
}

pub async fn a_schedule_is_replaced_and_removed(store: Arc<impl ScheduleStore>) {
    store.save_schedule(&schedule("a", Some(0))).await.unwrap();
    let later = Schedule { expression: "@every 1h".to_owned(), ..schedule("a", Some(7)) };
    store.save_schedule(&later).await.unwrap();
    assert_eq!(store.schedules(&tenant()).await.unwrap(), std::slice::from_ref(&later));
    assert!(store.remove_schedule(&tenant(), &later.id).await.unwrap());
    assert!(!store.remove_schedule(&tenant(), &later.id).await.unwrap());
    assert_eq!(store.schedules(&tenant()).await.unwrap(), []);
}

pub async fn what_is_due_comes_the_longest_due_first(store: Arc<impl ScheduleStore>) {
    for (id, at) in [("a", Some(20)), ("b", Some(10)), ("c", None), ("d", Some(21)), ("e", Some(15))] {
        store.save_schedule(&schedule(id, at)).await.unwrap();
    }
    assert_eq!(due(&*store, 20, 10).await, ["b", "e", "a"]);
    assert_eq!(due(&*store, 20, 2).await, ["b", "e"]);
    assert_eq!(due(&*store, 9, 10).await, Vec::<String>::new());
}

pub async fn a_fired_slot_rings_and_names_the_next<S: ScheduleStore + JobQueue>(store: Arc<S>) {
    let given = schedule("a", Some(10));
    store.save_schedule(&given).await.unwrap();
    assert!(store.fire(&given, Some(time(70)), 4).await.unwrap());
    assert_eq!(store.schedule(&tenant(), &given.id).await.unwrap().unwrap().next_fire, Some(time(70)));
    let job = take(&*store).await.unwrap();
    assert_eq!(job, ("a@2026-01-01T00:00:10Z".to_owned(), "for a".to_owned(), 4));
    assert_eq!(take(&*store).await, None);
}

pub async fn a_slot_that_another_fired_is_refused<S: ScheduleStore + JobQueue>(store: Arc<S>) {
    let given = schedule("a", Some(10));
    store.save_schedule(&given).await.unwrap();
    assert!(store.fire(&given, Some(time(70)), 4).await.unwrap());
    assert!(!store.fire(&given, Some(time(71)), 4).await.unwrap());
    assert!(!store.fire(&schedule("b", Some(10)), None, 4).await.unwrap(), "one that is not there");
    assert_eq!(store.schedule(&tenant(), &given.id).await.unwrap().unwrap().next_fire, Some(time(70)));
    assert!(take(&*store).await.is_some());
    assert_eq!(take(&*store).await, None, "a refused slot rings for nothing");
}

pub async fn missed_slots_fire_once<S: ScheduleStore + JobQueue>(store: Arc<S>) {
    // Due each minute, and nobody was there for an hour: whoever comes computes the next time from then on.
    store.save_schedule(&schedule("a", Some(0))).await.unwrap();
    let mut fired = 0;
    for now in [3600, 3601, 3659] {
        for late in store.due(time(now), 10).await.unwrap() {
            fired += usize::from(store.fire(&late, Some(time(3660)), 4).await.unwrap());
        }
    }
    assert_eq!(fired, 1);
    assert_eq!(take(&*store).await.map(|job| job.0), Some("a@2026-01-01T00:00:00Z".to_owned()));
    assert_eq!(take(&*store).await, None);
}

pub async fn a_paused_schedule_never_fires<S: ScheduleStore + JobQueue>(store: Arc<S>) {
    let given = schedule("a", Some(10));
    store.save_schedule(&given).await.unwrap();
    // Somebody pauses it after it was found to be due.
    store.save_schedule(&schedule("a", None)).await.unwrap();
    assert!(!store.fire(&given, Some(time(70)), 4).await.unwrap());
    assert!(!store.fire(&schedule("a", None), Some(time(70)), 4).await.unwrap());
    assert_eq!(store.schedule(&tenant(), &given.id).await.unwrap().unwrap().next_fire, None);
    assert_eq!(take(&*store).await, None);
}

pub async fn a_slot_whose_job_is_there_rings_once<S: ScheduleStore + JobQueue>(store: Arc<S>) {
    let given = schedule("a", Some(10));
    store.save_schedule(&given).await.unwrap();
    assert!(store.fire(&given, Some(time(70)), 4).await.unwrap());
    // Somebody sets the clock of the schedule back.
    store.save_schedule(&given).await.unwrap();
    assert!(store.fire(&given, Some(time(70)), 4).await.unwrap());
    assert!(take(&*store).await.is_some());
    assert_eq!(take(&*store).await, None);
}

pub async fn schedules_of_tenants_never_meet<S: ScheduleStore + JobQueue>(store: Arc<S>) {
    let other = TenantId("other".to_owned());
    let ours = schedule("a", Some(10));
    let theirs = Schedule { tenant: other.clone(), next_fire: Some(time(11)), ..ours.clone() };
    store.save_schedule(&ours).await.unwrap();
    assert_eq!(store.schedule(&other, &ours.id).await.unwrap(), None);
    assert!(!store.remove_schedule(&other, &ours.id).await.unwrap());
    assert!(!store.fire(&theirs, None, 4).await.unwrap());
    store.save_schedule(&theirs).await.unwrap();
    assert_eq!(store.schedules(&tenant()).await.unwrap(), std::slice::from_ref(&ours));
    assert_eq!(store.schedules(&other).await.unwrap(), std::slice::from_ref(&theirs));
    assert!(store.fire(&theirs, None, 4).await.unwrap());
    assert_eq!(store.schedule(&tenant(), &ours.id).await.unwrap(), Some(ours));
}

pub async fn of_sixteen_instances_one_fires_each_slot<S: ScheduleStore + JobQueue + 'static>(store: Arc<S>) {
    const SCHEDULES: usize = 12;
    for number in 0..SCHEDULES {
        store.save_schedule(&schedule(&format!("s{number:02}"), Some(number as i64))).await.unwrap();
    }
    let instances: Vec<_> = (0..16)
        .map(|_| {
            let store = Arc::clone(&store);
            tokio::spawn(async move {
                let mut fired = 0;
                for one in store.due(time(1000), 100).await.unwrap() {
                    fired += usize::from(store.fire(&one, Some(time(5000)), 4).await.unwrap());
                }
                fired
            })
        })
        .collect();
    let mut fired = 0;
    for instance in instances {
        fired += instance.await.unwrap();
    }
    assert_eq!(fired, SCHEDULES);
    let mut rung = 0;
    while take(&*store).await.is_some() {
        rung += 1;
    }
    assert_eq!(rung, SCHEDULES);
}

async fn due(store: &impl ScheduleStore, seconds: i64, limit: usize) -> Vec<String> {
    store.due(time(seconds), limit).await.unwrap().into_iter().map(|one| one.id.0).collect()
}

/// Key, payload and attempts of the next job.
async fn take(store: &impl JobQueue) -> Option<(String, String, u32)> {
    let job = store.take(&["sync".to_owned()], time(10_000), Duration::from_secs(30)).await.unwrap()?;
    Some((job.key, job.payload, job.max_attempts))
}

fn tenant() -> TenantId {
    TenantId::default()
}

fn time(seconds: i64) -> Timestamp {
    Timestamp::from_second(1_767_225_600 + seconds).expect("a time of the year 2026")
}

fn schedule(id: &str, next_fire: Option<i64>) -> Schedule {
    Schedule {
        tenant: tenant(),
        id: ScheduleId(id.to_owned()),
        owner: "a data source".to_owned(),
        expression: "* * * * *".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        kind: "sync".to_owned(),
        payload: format!("for {id}"),
        next_fire: next_fire.map(time),
    }
}
