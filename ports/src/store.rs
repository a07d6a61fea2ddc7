//! What a whole store is.

use crate::{ArticleStore, FeedStore, JobQueue, Retention, ScheduleStore, SecretStore, SlotStore, SourceStore};

/// One store that keeps everything: what an application holds when it is chosen at run time which.
pub trait Store:
    SourceStore + ArticleStore + FeedStore + SecretStore + Retention + JobQueue + ScheduleStore + SlotStore
{
}

impl<T: SourceStore + ArticleStore + FeedStore + SecretStore + Retention + JobQueue + ScheduleStore + SlotStore> Store
    for T
{
}
