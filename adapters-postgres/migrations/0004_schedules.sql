-- The schedules that ring the doorbell. The jobs themselves stand in the tables of graphile_worker, in a schema of their
-- own, which is made when the first one is rung for.

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
