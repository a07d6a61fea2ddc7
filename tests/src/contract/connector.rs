//! What a [`Connector`](headwater_ports::Connector) promises.
//!
//! The suite drives a connector against a [`World`]: the outside system, or a stand-in for it, which the suite can fill,
//! change and break. A connector's test file is one type that implements `World`, and one line:
//!
//! ```text
//! //! Does the notes connector keep the contract of connectors?
//!
//! mod notes {
//!     async fn fresh() -> (Arc<dyn World>, ()) {
//!         (Arc::new(NotesWorld::start().await), ())
//!     }
//!     headwater_tests::connector_contract!(tests with fresh);
//! }
//! ```
//!
//! Every request of the connector passes a [`Gate`], where the suite counts it, lets it hang, or lets it fail: a connector
//! that speaks HTTP is built with a [`GatedFetcher`] around its fetcher, another one with a like wrapper around its port.
//! What a world cannot do it says in [`Abilities`]; the suite then checks that the connector does not claim it either.

mod changes;
mod faults;
mod gate;
mod listings;
mod run;
mod stops;
mod world;

pub use changes::*;
pub use faults::*;
pub use gate::{Fault, Gate, GatedFetcher, Pass};
pub use listings::*;
pub use run::{Run, sync, sync_all, sync_with};
pub use stops::*;
pub use world::{Abilities, BRANCHES, World};

/// Makes tests of every promise of a `Connector`.
#[macro_export]
macro_rules! connector_contract {
    ($($how:tt)*) => {
        $crate::contract_suite! { [$($how)*] connector: [
            it_says_what_it_is,
            a_picker_can_open_the_way_to_every_branch,
            everything_arrives_once_and_under_safe_names,
            an_unchanged_run_asks_for_no_content_and_hands_over_nothing,
            changes_lead_to_what_a_first_run_would_give,
            a_document_that_was_turned_down_comes_again,
            a_deletion_that_was_turned_down_comes_again,
            what_is_no_longer_selected_is_left_alone,
            one_document_is_in_memory_at_a_time,
            checkpoints_come_on_the_way,
            a_failed_document_keeps_its_version_and_comes_again,
            a_failed_branch_hides_only_its_own_deletions,
            an_unknown_resource_is_named_and_spares_the_others,
            an_empty_listing_deletes_nothing,
            a_capped_listing_deletes_nothing,
            a_listing_in_circles_ends,
            wrong_credentials_are_told_and_delete_nothing,
            a_fault_at_any_request_is_made_good,
            a_run_stopped_at_any_request_is_resumed,
            a_dropped_run_is_over_at_once,
        ] }
    };
}
