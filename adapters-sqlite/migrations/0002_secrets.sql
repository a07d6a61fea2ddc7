-- Sealed secrets: the only columns that hold any.

CREATE TABLE secrets (
    tenant_id   TEXT NOT NULL,
    owner       TEXT NOT NULL,
    field       TEXT NOT NULL,
    key_id      TEXT NOT NULL,
    sealed      TEXT NOT NULL,
    quarantined BOOLEAN NOT NULL DEFAULT FALSE,
    PRIMARY KEY (tenant_id, owner, field)
);
