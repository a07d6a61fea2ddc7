//! Contract suites: what the docs of a port promise, as tests that every implementation passes.
//!
//! A suite is a module of functions, each of which gets a fresh store. The macro of the suite makes a test of each:
//!
//! ```text
//! mod in_memory {
//!     async fn fresh() -> (Arc<MemoryStore>, ()) { … }
//!     headwater_tests::source_store_contract!(tests with fresh);
//! }
//! ```

use std::pin::Pin;
use std::sync::Arc;

pub mod answer_store;
pub mod article_store;
pub mod connector;
pub mod data_source_store;
pub mod delivery_store;
pub mod document_removal;
pub mod feed_store;
pub mod job_queue;
pub mod knowledge_base;
pub mod retention;
pub mod schedule_store;
pub mod secret_store;
pub mod slot_store;
pub mod source_store;
pub(crate) mod sync_fixture;
pub mod sync_store;

/// A check of a suite that a store of type `S` is put to.
pub type Check<S> = fn(Arc<S>) -> Pin<Box<dyn Future<Output = ()> + Send>>;

/// Makes of a suite either a test a check, each with what `fresh` gives (a store of its own, and what must outlive it),
/// or a list of the checks with their names, for stores whose server is started once for all of them.
#[macro_export]
macro_rules! contract_suite {
    ([tests with $fresh:ident] $suite:ident: [$($check:ident),* $(,)?]) => {
        mod $suite {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
                async fn $check() {
                    let (store, _kept_until_the_end) = super::$fresh().await;
                    $crate::contract::$suite::$check(store).await;
                }
            )*
        }
    };
    ([list for $store:ty] $suite:ident: [$($check:ident),* $(,)?]) => {
        [$((
            concat!(stringify!($suite), "::", stringify!($check)),
            (|store| Box::pin($crate::contract::$suite::$check(store))) as $crate::contract::Check<$store>,
        )),*]
    };
}
