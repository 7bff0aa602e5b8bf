-- What the read model rests on: how far it tells, and the entries of the log themselves, as they were written.

CREATE TABLE meta (
  schema_version VARCHAR NOT NULL,
  ledger_id      VARCHAR,
  log_position   BIGINT NOT NULL,
  digest         VARCHAR NOT NULL
);
COMMENT ON TABLE meta IS 'The one row: up to which entry of the log this read model tells';
COMMENT ON COLUMN meta.schema_version IS 'which make of the read model; another one is built anew';
COMMENT ON COLUMN meta.ledger_id IS 'the ledger that it was made from';
COMMENT ON COLUMN meta.log_position IS 'position of the last log entry that is in it; 0: none';
COMMENT ON COLUMN meta.digest IS 'digest of that entry, 64 hexadecimal digits';

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
COMMENT ON TABLE entries IS 'One row an entry of the log as it was written, whatever was corrected later; ids and digests stay in the ledger';
COMMENT ON COLUMN entries.log_position IS 'its position in the log, from 1 without gaps';
COMMENT ON COLUMN entries.stream IS 'table/ or session/ and a name';
COMMENT ON COLUMN entries.table_name IS 'the table; null: the entry of a session';
COMMENT ON COLUMN entries.version IS 'its number in its stream, from 1 without gaps';
COMMENT ON COLUMN entries.recorded_at IS 'when it was recorded, UTC';
COMMENT ON COLUMN entries.recorded_by IS 'who recorded it';
COMMENT ON COLUMN entries.happened_at IS 'when it happened, UTC, as far as told';
COMMENT ON COLUMN entries.type IS 'the type of its event, for example card_played';
COMMENT ON COLUMN entries.event IS 'its event, for example {"type": "card_played", "seat": 0, "card": "SA"}';
