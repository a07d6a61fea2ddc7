-- The doorbell, and the schedules that ring it.

CREATE TABLE jobs (
    tenant_id    TEXT NOT NULL,
    -- Never given twice: with the attempt it is what a claim shows.
    job_id       INTEGER PRIMARY KEY AUTOINCREMENT,
    job_key      TEXT NOT NULL,
    kind         TEXT NOT NULL,
    payload      TEXT NOT NULL,
    not_before   TIMESTAMPTZ NOT NULL,
    attempts     BIGINT NOT NULL DEFAULT 0,
    max_attempts BIGINT NOT NULL,
    claimed_at   TIMESTAMPTZ,
    UNIQUE (tenant_id, job_key)
);

CREATE INDEX jobs_due ON jobs (not_before) WHERE claimed_at IS NULL;
CREATE INDEX jobs_held ON jobs (claimed_at) WHERE claimed_at IS NOT NULL;

CREATE TABLE schedules (
    tenant_id  TEXT NOT NULL,
    id         TEXT NOT NULL,
    owner      TEXT NOT NULL,
    expression TEXT NOT NULL,
    time_zone  TEXT NOT NULL,
    kind       TEXT NOT NULL,
    payload    TEXT NOT NULL,
    next_fire  TIMESTAMPTZ,
    PRIMARY KEY (tenant_id, id)
);

CREATE INDEX schedules_due ON schedules (next_fire) WHERE next_fire IS NOT NULL;
