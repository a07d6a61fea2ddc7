//! Contract suites: what the docs of a port promise, as tests that every implementation passes.
//!
//! A suite is a module of functions, each of which gets a fresh store. The macro of the suite makes a test of each:
//!
//! ```ignore
//! mod in_memory {
//!     async fn fresh() -> (Arc<MemoryStore>, ()) { … }
//!     headwater_tests::source_store_contract!(fresh);
//! }
//! ```

pub mod article_store;
pub mod feed_store;
pub mod source_store;

/// Makes a test of each named check of a suite. `fresh` gives a store of its own, and what must outlive it.
#[macro_export]
macro_rules! contract_tests {
    ($fresh:ident, $suite:ident: [$($check:ident),* $(,)?]) => {
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
}
