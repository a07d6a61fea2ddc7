//! What happens to a schema that is being made, or brought up to date?

use headwater_adapters_sqlite::SqliteStore;
use headwater_domain::synthesis::history::{ArticleKey, Fate};
use headwater_domain::synthesis::source::TenantId;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, PgConnection};

use crate::work::{is_postgres, open};

/// Makes store after store, and names each.
pub async fn migrate_again_and_again(store: &str) {
    for n in 0..10_000 {
        if is_postgres(store) {
            let mut connection = PgConnection::connect(store).await.unwrap();
            sqlx::raw_sql(EMPTY).execute(&mut connection).await.unwrap();
            open(store).await;
        } else {
            SqliteStore::open(&format!("{store}.{n}")).await.unwrap();
        }
        println!("\ndone {n}");
    }
}

/// Opens a store, and says so before and after.
pub async fn open_once(store: &str) {
    println!("\ndone 0");
    open(store).await;
    println!("\ndone 1");
    // The parent kills a process that is still there.
    std::future::pending::<()>().await;
}

/// A file of the second version of the schema, with a history.
pub async fn old_file(path: &str) {
    let options = SqliteConnectOptions::new().filename(path).create_if_missing(true);
    let mut connection = options.connect().await.unwrap();
    let sql = format!(
        "BEGIN; {} {} {}
         WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < {ARTICLES})
         INSERT INTO article_history SELECT {COLUMNS} FROM numbers;
         PRAGMA application_id = 0x48445752; PRAGMA user_version = 2; COMMIT;",
        include_str!("../../../adapters-sqlite/migrations/0001_synthesis.sql"),
        include_str!("../../../adapters-sqlite/migrations/0002_secrets.sql"),
        "INSERT INTO runs VALUES ('default', 'r', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 0, '{}');",
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The same as a database; what was there before is gone.
pub async fn old_database(url: &str) {
    let mut connection = PgConnection::connect(url).await.unwrap();
    let sql = format!(
        "{EMPTY} {} {} {}
         INSERT INTO article_history SELECT {COLUMNS} FROM generate_series(0, {ARTICLES} - 1) AS numbers (n);
         CREATE TABLE schema_version (version BIGINT PRIMARY KEY); INSERT INTO schema_version VALUES (2);",
        include_str!("../../../adapters-postgres/migrations/0001_synthesis.sql"),
        include_str!("../../../adapters-postgres/migrations/0002_secrets.sql"),
        "INSERT INTO runs VALUES ('default', 'r', '2026-01-01T00:00:00Z', '2026-01-01T00:00:00Z', 0, '{}');",
    );
    sqlx::raw_sql(AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
    connection.close().await.unwrap();
}

/// The store opens, and knows every article as it was.
pub async fn assert_nothing_is_lost(store: &str) {
    let store = open(store).await;
    let keys: Vec<_> = (0..ARTICLES).map(|n| ArticleKey(format!("https://site.example/ü/{n}"))).collect();
    let known = store.known(&TenantId::default(), &keys).await.unwrap();
    assert_eq!(known.len(), ARTICLES);
    for entry in known {
        let number: usize = entry.key.0.rsplit('/').next().unwrap().parse().unwrap();
        assert_eq!(entry.title, Some(format!("Title {number}")));
        assert_eq!(entry.fate, if number.is_multiple_of(7) { Fate::Failed } else { Fate::Kept });
    }
    assert_eq!(store.runs(&TenantId::default(), 10).await.unwrap().len(), 1);
}

/// One statement for the server, so that a kill leaves all of it or nothing. The queue's schema is made on demand.
const EMPTY: &str = "DROP SCHEMA IF EXISTS public CASCADE; CREATE SCHEMA public;";

/// The columns of `article_history` in its first form, made of a number `n`.
const COLUMNS: &str = "'default', 'https://site.example/ü/' || n, 'https://site.example/' || n, 'Title ' || n,
     'https://site.example/', CASE WHEN n % 7 = 0 THEN 'failed' ELSE 'kept' END, 0, '2026-01-01T00:00:00Z', 'r'";

const ARTICLES: usize = 6000;
