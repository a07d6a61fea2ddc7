//! Does the connector of `docs/writing-a-connector.md` keep the contract, and does the guide show it as it is?

#[path = "guide_connector/notes.rs"]
mod notes;
#[path = "guide_connector/world.rs"]
mod world;

mod guide {
    use std::sync::Arc;

    use headwater_tests::contract::connector::World;

    async fn fresh() -> (Arc<dyn World>, ()) {
        (Arc::new(super::world::NotesWorld::start().await), ())
    }

    headwater_tests::connector_contract!(tests with fresh);
}

/// Every block of Rust in the guide stands in the example, line for line.
#[test]
fn the_guide_shows_what_is_compiled() {
    let guide = include_str!("../../docs/writing-a-connector.md");
    let code = [include_str!("guide_connector/notes.rs"), include_str!("guide_connector/world.rs")].concat();
    let blocks: Vec<_> = guide.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 4, "the guide shows {} blocks", blocks.len());
    for block in blocks {
        assert!(code.contains(block), "the example does not hold this block of the guide:\n{block}");
    }
}
