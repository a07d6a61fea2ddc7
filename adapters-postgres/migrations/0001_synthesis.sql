-- Phase 1: what is watched, what was seen, what was made of it.
-- The same tables as in SQLite, and one that holds the version of the schema.

CREATE TABLE sources (
    tenant_id         TEXT NOT NULL,
    id                TEXT NOT NULL,
    url               TEXT NOT NULL,
    url_key           TEXT NOT NULL,
    url_redacted      BOOLEAN NOT NULL DEFAULT FALSE,
    title             TEXT,
    preferred         BOOLEAN NOT NULL DEFAULT FALSE,
    position          BIGINT NOT NULL,
    rss_url           TEXT,
    rss_discovered_at TIMESTAMPTZ,
    PRIMARY KEY (tenant_id, id),
    UNIQUE (tenant_id, url_key)
);

CREATE TABLE article_history (
    tenant_id  TEXT NOT NULL,
    url_key    TEXT NOT NULL,
    url        TEXT NOT NULL,
    title      TEXT,
    source_url TEXT NOT NULL,
    fate       TEXT NOT NULL CHECK (fate IN ('kept', 'rejected', 'failed')),
    failures   BIGINT NOT NULL DEFAULT 0,
    seen_at    TIMESTAMPTZ NOT NULL,
    run_id     TEXT NOT NULL,
    UNIQUE (tenant_id, url_key)
);

CREATE INDEX article_history_age ON article_history (tenant_id, seen_at);

CREATE TABLE runs (
    tenant_id   TEXT NOT NULL,
    run_id      TEXT NOT NULL,
    started_at  TIMESTAMPTZ NOT NULL,
    finished_at TIMESTAMPTZ NOT NULL,
    kept        BIGINT NOT NULL,
    digest_json TEXT NOT NULL,
    PRIMARY KEY (tenant_id, run_id)
);

CREATE TABLE feed_memory (
    tenant_id TEXT NOT NULL,
    feed_url  TEXT NOT NULL,
    memory    TEXT NOT NULL,
    PRIMARY KEY (tenant_id, feed_url)
);
