//! The traits through which Headwater reaches the world, one to a file.
//!
//! The docs of each trait are the contract that an adapter keeps; the contract suites of the test kit hold every
//! adapter to them. With the feature `mock` each trait `X` has a mockall mock `MockX`.

pub mod answer_store;
pub mod article_store;
pub mod classifier;
pub mod clock;
pub mod connector;
pub mod data_source_store;
pub mod delivery_store;
pub mod dialler;
pub mod digest_sink;
pub mod error;
pub mod feed_parser;
pub mod feed_store;
pub mod fetcher;
pub mod file_tree;
pub mod job_queue;
pub mod knowledge_base;
pub mod model_meter;
pub mod outline;
pub mod page_reader;
pub mod resolver;
pub mod retention;
pub mod sanitiser;
pub mod schedule_store;
pub mod secret_store;
pub mod slot_store;
pub mod source_store;
pub mod store;
pub mod store_admin;
pub mod summariser;
pub mod sync_store;
pub mod timer;
pub mod vault;

pub use answer_store::{AnswerStore, StoredAnswer};
pub use article_store::ArticleStore;
pub use classifier::Classifier;
pub use clock::Clock;
pub use connector::{
    AuthType, Capability, ConfigField, Connector, ConnectorMetadata, Fetched, FieldPlace, StreamHandler,
};
pub use data_source_store::{Changed, DataSourceQuery, DataSourceStore};
pub use delivery_store::DeliveryStore;
pub use dialler::{Dialler, Duplex};
pub use digest_sink::{Delivery, DigestSink, Page};
pub use error::{Advice, Error, Result};
pub use feed_parser::{FeedInput, FeedParser, FeedParsers, Preset};
pub use feed_store::FeedStore;
pub use fetcher::{Exchange, FetchLimits, FetchRequest, FetchResponse, Fetcher, Header, Headers, Method};
pub use file_tree::{FileEntry, FileKind, FileTree};
pub use job_queue::JobQueue;
pub use knowledge_base::{DocumentFilter, DocumentQuery, KnowledgeBase, Removal, Restored};
pub use model_meter::ModelMeter;
pub use outline::{OutlineFormat, SecretsInUrls, WriteOptions};
pub use page_reader::{PageInput, PageReader};
pub use resolver::Resolver;
pub use retention::Retention;
pub use sanitiser::Sanitiser;
pub use schedule_store::ScheduleStore;
pub use secret_store::SecretStore;
pub use slot_store::SlotStore;
pub use source_store::SourceStore;
pub use store::Store;
pub use store_admin::{MigrationReport, StoreAdmin, StoreStatus};
pub use summariser::{Summaries, Summariser};
pub use sync_store::{Begin, BegunRun, Fenced, LogPage, RunClaim, RunFinish, SyncStore};
pub use timer::Timer;
pub use vault::Vault;

#[cfg(feature = "mock")]
pub use {
    answer_store::MockAnswerStore, article_store::MockArticleStore, classifier::MockClassifier, clock::MockClock,
    data_source_store::MockDataSourceStore, delivery_store::MockDeliveryStore, digest_sink::MockDigestSink,
    feed_parser::MockFeedParser, feed_store::MockFeedStore, fetcher::MockFetcher, file_tree::MockFileTree,
    job_queue::MockJobQueue, knowledge_base::MockKnowledgeBase, model_meter::MockModelMeter,
    outline::MockOutlineFormat, page_reader::MockPageReader, resolver::MockResolver, retention::MockRetention,
    sanitiser::MockSanitiser, schedule_store::MockScheduleStore, secret_store::MockSecretStore,
    slot_store::MockSlotStore, source_store::MockSourceStore, store_admin::MockStoreAdmin, summariser::MockSummariser,
    sync_store::MockSyncStore, timer::MockTimer, vault::MockVault,
};
