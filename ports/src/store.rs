//! What a whole store is.

use crate::{ArticleStore, FeedStore, Retention, SecretStore, SourceStore};

/// One store that keeps everything: what an application holds when it is chosen at run time which.
pub trait Store: SourceStore + ArticleStore + FeedStore + SecretStore + Retention {}

impl<T: SourceStore + ArticleStore + FeedStore + SecretStore + Retention> Store for T {}
