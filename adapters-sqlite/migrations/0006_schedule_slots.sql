-- Which slot of a schedule was taken last, by whom, and until when nobody else may: what keeps two watchers apart.

CREATE TABLE schedule_slots (
    tenant_id  TEXT NOT NULL,
    schedule   TEXT NOT NULL,
    slot_at    TIMESTAMPTZ NOT NULL,
    holder     TEXT NOT NULL,
    held_until TIMESTAMPTZ NOT NULL,
    is_done    BOOLEAN NOT NULL,
    failures   BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, schedule)
);
