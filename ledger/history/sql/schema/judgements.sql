-- Findings, disputes, rulings and corrections.

CREATE TABLE findings (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER,
  version      INTEGER NOT NULL,
  code         VARCHAR NOT NULL,
  rule         VARCHAR NOT NULL,
  severity     VARCHAR NOT NULL,
  seat         INTEGER,
  player       VARCHAR,
  message      VARCHAR NOT NULL,
  values       JSON NOT NULL,
  legal        VARCHAR[]
);

CREATE TABLE disputes (
  table_name     VARCHAR NOT NULL,
  deal           INTEGER NOT NULL,
  number         INTEGER NOT NULL,
  seat           INTEGER,
  player         VARCHAR,
  explanation    VARCHAR NOT NULL,
  about_version  INTEGER,
  ruling_version INTEGER,
  corrected_by   INTEGER[],
  version        INTEGER NOT NULL
);

CREATE TABLE rulings (
  table_name      VARCHAR NOT NULL,
  deal            INTEGER NOT NULL,
  number          INTEGER NOT NULL,
  kind            VARCHAR NOT NULL,
  explanation     VARCHAR NOT NULL,
  rule            VARCHAR,
  deltas          BIGINT[],
  pool_change     BIGINT,
  award           JSON,
  dispute_version INTEGER,
  is_in_force     BOOLEAN NOT NULL,
  corrected_by    INTEGER[],
  version         INTEGER NOT NULL
);

CREATE VIEW corrections AS
WITH recorded AS (
  SELECT *, (event ->> 'version')::INTEGER AS corrected_version FROM entries WHERE type = 'corrected'
)
SELECT
  stream,
  table_name,
  corrected_version,
  event ->> 'action' AS action,
  event -> 'events' AS events,
  event ->> 'reason' AS reason,
  version = max(version) OVER (PARTITION BY stream, corrected_version) AS is_in_force,
  recorded_by,
  recorded_at,
  version
FROM recorded;
