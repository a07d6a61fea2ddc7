//! Does the feed connector keep the contract of connectors, and take no wall and no error page for an article?

#[path = "rss_connector/behaviour.rs"]
mod behaviour;
#[path = "rss_connector/world.rs"]
mod world;

mod rss {
    use std::sync::Arc;

    use headwater_tests::contract::connector::World;

    async fn fresh() -> (Arc<dyn World>, ()) {
        (Arc::new(super::world::RssWorld::start().await), ())
    }

    headwater_tests::connector_contract!(tests with fresh);
}
