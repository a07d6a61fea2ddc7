//! Does the Feishu connector keep the contract of connectors, and do better where others fail?

#[path = "feishu_connector/behaviour.rs"]
mod behaviour;
#[path = "feishu_connector/world.rs"]
mod world;

mod blocks {
    use std::sync::Arc;

    use headwater_tests::contract::connector::World;

    async fn fresh() -> (Arc<dyn World>, ()) {
        (Arc::new(super::world::FeishuWorld::start("blocks").await), ())
    }

    headwater_tests::connector_contract!(tests with fresh);
}

mod exports {
    use std::sync::Arc;

    use headwater_tests::contract::connector::World;

    async fn fresh() -> (Arc<dyn World>, ()) {
        (Arc::new(super::world::FeishuWorld::start("export").await), ())
    }

    headwater_tests::connector_contract!(tests with fresh);
}
