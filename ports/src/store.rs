//! What a whole store is.

use crate::{
    AnswerStore, ArticleStore, DataSourceStore, DeliveryStore, FeedStore, JobQueue, KnowledgeBase, Retention,
    ScheduleStore, SecretStore, SlotStore, SourceStore, SyncStore,
};

/// One store that keeps everything: what an application holds when it is chosen at run time which.
pub trait Store:
    AnswerStore
    + ArticleStore
    + DataSourceStore
    + DeliveryStore
    + FeedStore
    + JobQueue
    + KnowledgeBase
    + Retention
    + ScheduleStore
    + SecretStore
    + SlotStore
    + SourceStore
    + SyncStore
{
}

impl<T> Store for T where
    T: AnswerStore
        + ArticleStore
        + DataSourceStore
        + DeliveryStore
        + FeedStore
        + JobQueue
        + KnowledgeBase
        + Retention
        + ScheduleStore
        + SecretStore
        + SlotStore
        + SourceStore
        + SyncStore
{
}
