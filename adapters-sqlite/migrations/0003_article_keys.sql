-- Articles are looked up by a digest of their key: 16 bytes where URLs take a hundred, so that the index fits into the
-- cache. SQLite cannot compute it: the program copies the rows of `article_history_old`, and drops that.

DROP INDEX article_history_age;

ALTER TABLE article_history RENAME TO article_history_old;

CREATE TABLE article_history (
    tenant_id  TEXT NOT NULL,
    key_digest BLOB NOT NULL,
    url_key    TEXT NOT NULL,
    url        TEXT NOT NULL,
    title      TEXT,
    source_url TEXT NOT NULL,
    fate       TEXT NOT NULL CHECK (fate IN ('kept', 'rejected', 'failed')),
    failures   BIGINT NOT NULL DEFAULT 0,
    seen_at    TIMESTAMPTZ NOT NULL,
    run_id     TEXT NOT NULL
);

CREATE UNIQUE INDEX article_history_key ON article_history (tenant_id, key_digest);

-- Few articles fail; whether one did is answered without a look at its row.
CREATE INDEX article_history_failed ON article_history (tenant_id, key_digest) WHERE fate = 'failed';

CREATE INDEX article_history_age ON article_history (tenant_id, seen_at);
