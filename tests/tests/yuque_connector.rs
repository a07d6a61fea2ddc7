//! Does the Yuque connector keep the contract of connectors, and do better where others fail?

#[path = "yuque_connector/behaviour.rs"]
mod behaviour;
#[path = "yuque_connector/world.rs"]
mod world;

mod yuque {
    use std::sync::Arc;

    use headwater_tests::contract::connector::World;

    async fn fresh() -> (Arc<dyn World>, ()) {
        (Arc::new(super::world::YuqueWorld::start().await), ())
    }

    headwater_tests::connector_contract!(tests with fresh);
}
