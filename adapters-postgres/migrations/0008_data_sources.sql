-- Data sources: what is connected, whose turn it is, where each sync stands, what became of it, and the documents.
-- Ids compare by their bytes, as in SQLite, whatever the locale of the database.
-- No column holds a secret: credentials stand sealed in `secrets`, with the data source as owner.

CREATE TABLE data_sources (
    tenant_id           TEXT NOT NULL,
    id                  TEXT COLLATE "C" NOT NULL,
    knowledge_base_id   TEXT COLLATE "C" NOT NULL,
    name                TEXT NOT NULL,
    connector_type      TEXT NOT NULL,
    resource_ids        TEXT NOT NULL,
    settings            TEXT NOT NULL,
    schedule            TEXT,
    schedule_zone       TEXT,
    sync_mode           TEXT NOT NULL CHECK (sync_mode IN ('incremental', 'full')),
    status              TEXT NOT NULL CHECK (status IN ('active', 'paused', 'parked', 'deleted')),
    park_reason         TEXT,
    conflict_strategy   TEXT NOT NULL CHECK (conflict_strategy IN ('overwrite', 'skip')),
    sync_deletions      BOOLEAN NOT NULL,
    confirmed_deletions BIGINT,
    log_retention_days  BIGINT,
    failures            BIGINT NOT NULL,
    last_sync_at        TIMESTAMPTZ,
    created_at          TIMESTAMPTZ NOT NULL,
    updated_at          TIMESTAMPTZ NOT NULL,
    revision            BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX data_sources_newest ON data_sources (tenant_id, created_at, id);

-- One row a data source, for as long as there is the source: the token never goes back.
CREATE TABLE sync_leases (
    tenant_id      TEXT NOT NULL,
    data_source_id TEXT COLLATE "C" NOT NULL,
    token          BIGINT NOT NULL,
    run_id         TEXT COLLATE "C",
    expires_at     TIMESTAMPTZ,
    attempts       BIGINT NOT NULL,
    PRIMARY KEY (tenant_id, data_source_id)
);

CREATE INDEX sync_leases_expiry ON sync_leases (expires_at) WHERE run_id IS NOT NULL;

CREATE TABLE sync_logs (
    tenant_id      TEXT NOT NULL,
    run_id         TEXT COLLATE "C" NOT NULL,
    data_source_id TEXT COLLATE "C" NOT NULL,
    trigger        TEXT NOT NULL CHECK (trigger IN ('manual', 'schedule')),
    status         TEXT NOT NULL
                   CHECK (status IN ('running', 'success', 'partial', 'failed', 'canceled', 'interrupted')),
    started_at     TIMESTAMPTZ NOT NULL,
    finished_at    TIMESTAMPTZ,
    attempt        BIGINT NOT NULL,
    counts         TEXT NOT NULL,
    errors         TEXT NOT NULL,
    error          TEXT,
    PRIMARY KEY (tenant_id, run_id)
);

CREATE INDEX sync_logs_newest ON sync_logs (tenant_id, data_source_id, started_at, run_id);

-- The cursor, an entry a row, so that a checkpoint costs what changed.
CREATE TABLE sync_known (
    tenant_id      TEXT NOT NULL,
    data_source_id TEXT COLLATE "C" NOT NULL,
    resource_id    TEXT COLLATE "C" NOT NULL,
    external_id    TEXT COLLATE "C" NOT NULL,
    version        TEXT NOT NULL,
    PRIMARY KEY (tenant_id, data_source_id, resource_id, external_id)
);

CREATE TABLE sync_notes (
    tenant_id      TEXT NOT NULL,
    data_source_id TEXT COLLATE "C" NOT NULL,
    name           TEXT COLLATE "C" NOT NULL,
    value          TEXT NOT NULL,
    PRIMARY KEY (tenant_id, data_source_id, name)
);

CREATE TABLE documents (
    tenant_id          TEXT NOT NULL,
    data_source_id     TEXT COLLATE "C" NOT NULL,
    external_id        TEXT COLLATE "C" NOT NULL,
    knowledge_base_id  TEXT COLLATE "C" NOT NULL,
    version            BIGINT NOT NULL,
    content_hash       TEXT NOT NULL,
    size_bytes         BIGINT NOT NULL,
    title              TEXT NOT NULL,
    file_name          TEXT NOT NULL,
    content_type       TEXT NOT NULL,
    url                TEXT,
    path               TEXT NOT NULL,
    metadata           TEXT NOT NULL,
    source_resource_id TEXT NOT NULL,
    parent_id          TEXT COLLATE "C",
    edited_at          TIMESTAMPTZ,
    kept_at            TIMESTAMPTZ NOT NULL,
    missing_at         TIMESTAMPTZ,
    deleted_at         TIMESTAMPTZ,
    deleted_by         TEXT CHECK (deleted_by IN ('source', 'person')),
    content_gone       BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (tenant_id, data_source_id, external_id)
);

CREATE INDEX documents_of_base ON documents (tenant_id, knowledge_base_id, data_source_id, external_id);
CREATE INDEX documents_of_parent ON documents (tenant_id, data_source_id, parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX documents_deleted ON documents (tenant_id, deleted_at) WHERE deleted_at IS NOT NULL AND NOT content_gone;

-- The bytes, apart from what listings read. A new version is written before its document is switched to it.
CREATE TABLE document_contents (
    tenant_id       TEXT NOT NULL,
    data_source_id  TEXT COLLATE "C" NOT NULL,
    external_id     TEXT COLLATE "C" NOT NULL,
    version         BIGINT NOT NULL,
    original        BYTEA NOT NULL,
    original_coding TEXT NOT NULL,
    original_bytes  BIGINT NOT NULL,
    text            BYTEA,
    text_coding     TEXT,
    text_bytes      BIGINT,
    PRIMARY KEY (tenant_id, data_source_id, external_id, version)
);

-- They are compressed before they come here, where that pays.
ALTER TABLE document_contents ALTER COLUMN original SET STORAGE EXTERNAL, ALTER COLUMN text SET STORAGE EXTERNAL;
