//! What the search lists and nothing led to: pages in columns and toggles of pages that did not change.

use std::sync::Arc;

use headwater_ports::Result;
use serde_json::Value;

use super::Run;
use super::roots::listed_work;
use crate::notion::answer::is_fatal;
use crate::notion::id::normal_id;
use crate::notion::parent::{Id, Parent};

impl Run<'_> {
    /// Finds for each of them the page that it is in, and reads it if that page is read. Of a whole workspace everything
    /// is read.
    pub(super) async fn read_leftovers(&mut self) -> Result<()> {
        let everything = self.roots.iter().position(|root| root.id.is_none());
        for id in self.titles.index.ids() {
            let Some(Parent::Block(block)) = self.titles.index.entry(&id).map(|entry| entry.parent.clone()) else {
                continue;
            };
            if self.tree.contains(&id) {
                continue;
            }
            let above = self.page_above(&block).await?.filter(|page| self.tree.contains(page));
            let root = above.as_ref().and_then(|page| self.tree.root(page)).or(everything);
            self.go_to(&id, above.as_ref(), root);
            self.drain().await?;
        }
        // What is still left stands in a circle, or in what the search does not list.
        for id in self.titles.index.ids() {
            if !self.tree.contains(&id) {
                self.go_to(&id, None, everything);
                self.drain().await?;
            }
        }
        Ok(())
    }

    fn go_to(&mut self, id: &Id, above: Option<&Id>, root: Option<usize>) {
        if let (Some(root), Some(entry)) = (root, self.titles.index.entry(id)) {
            let work = listed_work(entry, Arc::clone(id), above, root);
            self.queue.push_back(work);
        }
    }

    /// The page that a block is in. The cursor remembers it: blocks seldom move, and the question is asked one level at a
    /// time.
    pub(super) async fn page_above(&mut self, block: &Id) -> Result<Option<Id>> {
        let name = format!("block:{block}");
        if let Some(page) = self.delivery.cursor().state(&name).and_then(Value::as_str) {
            return Ok(Some(Id::from(page)));
        }
        let mut at = Arc::clone(block);
        for _ in 0..MAX_LEVELS {
            let parent = match self.api.block(&at).await {
                Ok(block) => Parent::from(&block.parent),
                Err(error) if is_fatal(&error) => return Err(error),
                Err(_) => return Ok(None),
            };
            match parent {
                Parent::Block(above) => at = above,
                Parent::Page(page) => {
                    let page = Id::from(normal_id(&page));
                    self.delivery.record_state(&name, Some(page.as_ref().into()));
                    return Ok(Some(page));
                }
                _ => return Ok(None),
            }
        }
        Ok(None)
    }
}

const MAX_LEVELS: usize = 1000;
