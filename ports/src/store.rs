//! What a whole store is.

use crate::{ArticleStore, FeedStore, SourceStore};

/// One store that keeps everything: what an application holds when it is chosen at run time which.
pub trait Store: SourceStore + ArticleStore + FeedStore {}

impl<T: SourceStore + ArticleStore + FeedStore> Store for T {}
