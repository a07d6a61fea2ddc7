-- Which sinks have which digest, and what a language model answered before.

CREATE TABLE deliveries (
    tenant_id  TEXT NOT NULL,
    run_id     TEXT NOT NULL,
    sink       TEXT NOT NULL,
    state      TEXT NOT NULL CHECK (state IN ('owed', 'delivered', 'skipped', 'given_up')),
    attempts   BIGINT NOT NULL DEFAULT 0,
    changed_at TIMESTAMPTZ NOT NULL,
    problem    TEXT,
    PRIMARY KEY (tenant_id, run_id, sink)
);

CREATE INDEX deliveries_owed ON deliveries (tenant_id, run_id) WHERE state = 'owed';

CREATE TABLE model_answers (
    tenant_id  TEXT NOT NULL,
    answer_key TEXT NOT NULL,
    answer     TEXT NOT NULL,
    saved_at   TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (tenant_id, answer_key)
);

CREATE INDEX model_answers_age ON model_answers (tenant_id, saved_at);
