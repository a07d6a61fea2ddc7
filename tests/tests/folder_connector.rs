//! Does the folder connector keep the contract of connectors, and leave alone what is not its own?

#[path = "folder_connector/behaviour.rs"]
mod behaviour;
#[path = "folder_connector/world.rs"]
mod world;

mod folder {
    use std::sync::Arc;

    use headwater_tests::contract::connector::World;

    async fn fresh() -> (Arc<dyn World>, ()) {
        (Arc::new(super::world::FolderWorld::new()), ())
    }

    headwater_tests::connector_contract!(tests with fresh);
}
