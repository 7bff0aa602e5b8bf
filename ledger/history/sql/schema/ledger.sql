-- The source of the read model: its last log entry, and all entries as they were written.

CREATE TABLE meta (
  schema_version VARCHAR NOT NULL,
  ledger_id      VARCHAR,
  log_position   BIGINT NOT NULL,
  digest         VARCHAR NOT NULL,
  zone           VARCHAR NOT NULL
);

CREATE TABLE entries (
  log_position BIGINT NOT NULL,
  stream       VARCHAR NOT NULL,
  table_name   VARCHAR,
  version      INTEGER NOT NULL,
  recorded_at  TIMESTAMP NOT NULL,
  recorded_by  VARCHAR NOT NULL,
  happened_at  TIMESTAMP,
  type         VARCHAR NOT NULL,
  event        JSON NOT NULL
);
