//! What a stand-in must be able to do, so that the suite can judge the connector that speaks to it.

use std::sync::Arc;

use async_trait::async_trait;
use headwater_domain::sync::DataSourceConfig;
use headwater_ports::Connector;

use super::Gate;
use crate::fakes::FakeClock;

/// An outside system with [`BRANCHES`] selectable branches (spaces, folders, books, feeds), empty at first.
///
/// Documents are named by their branch and by a name of the suite's choice (letters, digits and dashes), under which the
/// world makes them: it is their title, or their title begins with it. Times of changes are those of the world's clock,
/// which the suite moves between two runs.
#[async_trait]
pub trait World: Send + Sync {
    /// A connector without any memory, whose requests pass the gate, and whose clock and timer are the world's.
    fn connector(&self) -> Arc<dyn Connector>;

    /// A configuration with sound credentials in which all branches are selected.
    fn config(&self) -> DataSourceConfig;

    /// The id by which a branch is selected.
    fn resource(&self, branch: usize) -> String;

    /// An id of the right form of a resource that does not exist.
    fn unknown_resource(&self) -> String;

    /// The gate.
    fn gate(&self) -> &Gate;

    /// The clock.
    fn clock(&self) -> &FakeClock;

    /// What can be done here.
    fn abilities(&self) -> Abilities;

    /// Adds a document of that text.
    async fn add(&self, branch: usize, name: &str, text: &str);

    /// Gives a document another text.
    async fn edit(&self, branch: usize, name: &str, text: &str);

    /// Gives a document another name.
    async fn rename(&self, branch: usize, name: &str, new_name: &str);

    /// Deletes a document for good; called only with [`Abilities::deletions`].
    async fn delete(&self, branch: usize, name: &str);

    /// The name of the document whose content a request at the gate asks for; none: it asks for no content.
    fn content_of(&self, target: &str) -> Option<String>;

    /// From now on the content of this document cannot be had, for a reason that passes.
    async fn break_document(&self, branch: usize, name: &str);

    /// From now on this branch cannot be listed, for a reason that passes.
    async fn break_branch(&self, branch: usize);

    /// From now on the listing of this branch claims to be empty, though its documents are there.
    async fn empty_branch(&self, branch: usize);

    /// From now on the listing of this branch ends early, at a cap of the system; called only with [`Abilities::caps`].
    async fn cap_branch(&self, _branch: usize) {}

    /// From now on the pages of this branch's listing go in circles; called only with [`Abilities::pages`].
    async fn loop_branch(&self, _branch: usize) {}

    /// From now on the credentials are refused; called only with [`Abilities::credentials`].
    async fn refuse_credentials(&self) {}

    /// Ends all that went wrong in the world; the gate is healed by the suite.
    async fn heal(&self);
}

/// What a system can do. Where one is missing, the suite checks that the connector does not claim it either.
#[derive(Debug, Clone, Copy)]
pub struct Abilities {
    /// Deleted documents can be told from others.
    pub deletions: bool,
    /// Listings can end at a cap.
    pub caps: bool,
    /// Listings have pages, each of which names the next.
    pub pages: bool,
    /// Something must be shown to be let in.
    pub credentials: bool,
    /// Resources lie below resources.
    pub levels: bool,
    /// Documents whose content may be on the way while one is handed over, that one included.
    pub lookahead: usize,
}

/// Branches of a world.
pub const BRANCHES: usize = 2;
