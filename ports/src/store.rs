//! What a whole store is.

use crate::{
    AnswerStore, ArticleStore, DeliveryStore, FeedStore, JobQueue, Retention, ScheduleStore, SecretStore, SlotStore,
    SourceStore,
};

/// One store that keeps everything: what an application holds when it is chosen at run time which.
pub trait Store:
    AnswerStore
    + ArticleStore
    + DeliveryStore
    + FeedStore
    + JobQueue
    + Retention
    + ScheduleStore
    + SecretStore
    + SlotStore
    + SourceStore
{
}

impl<T> Store for T where
    T: AnswerStore
        + ArticleStore
        + DeliveryStore
        + FeedStore
        + JobQueue
        + Retention
        + ScheduleStore
        + SecretStore
        + SlotStore
        + SourceStore
{
}
