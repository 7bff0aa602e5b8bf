-- What was wrong and what was decided: findings, disputes, rulings, corrections.

CREATE TABLE findings (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER NOT NULL,
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
COMMENT ON TABLE findings IS 'One row for each thing that `audit` finds: a rule broken, or as info a rule used';
COMMENT ON COLUMN findings.table_name IS 'the table';
COMMENT ON COLUMN findings.deal IS 'the deal';
COMMENT ON COLUMN findings.version IS 'version of the entry at fault in the table''s record';
COMMENT ON COLUMN findings.code IS 'the irregularity, for example OMB-11.36';
COMMENT ON COLUMN findings.rule IS 'the rule that it breaks';
COMMENT ON COLUMN findings.severity IS 'error, warning or info';
COMMENT ON COLUMN findings.seat IS 'the seat it is about';
COMMENT ON COLUMN findings.player IS 'its player';
COMMENT ON COLUMN findings.message IS 'in words, in English';
COMMENT ON COLUMN findings.values IS 'what is put into the words that go with code and severity, for example {"seat": 1, "card": "H2"}';
COMMENT ON COLUMN findings.legal IS 'what could have been done instead, where it is about a card or a call';

CREATE TABLE disputes (
  table_name     VARCHAR NOT NULL,
  deal           INTEGER NOT NULL,
  number         INTEGER NOT NULL,
  seat           INTEGER,
  player         VARCHAR,
  explanation    VARCHAR NOT NULL,
  about_version  INTEGER,
  ruling_version INTEGER,
  version        INTEGER NOT NULL
);
COMMENT ON TABLE disputes IS 'One row for each dispute that was raised';
COMMENT ON COLUMN disputes.table_name IS 'the table';
COMMENT ON COLUMN disputes.deal IS 'the deal that it is about';
COMMENT ON COLUMN disputes.number IS 'number of the dispute at its table, from 1';
COMMENT ON COLUMN disputes.seat IS 'the seat that raised it; null: not told';
COMMENT ON COLUMN disputes.player IS 'the player who sat there in that deal';
COMMENT ON COLUMN disputes.explanation IS 'what it is about, in words';
COMMENT ON COLUMN disputes.about_version IS 'version of the entry that it is about';
COMMENT ON COLUMN disputes.ruling_version IS 'version of the last ruling that names it; null: not decided';
COMMENT ON COLUMN disputes.version IS 'version of its entry in the table''s record';

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
  version         INTEGER NOT NULL
);
COMMENT ON TABLE rulings IS 'One row for each decision of a director';
COMMENT ON COLUMN rulings.table_name IS 'the table';
COMMENT ON COLUMN rulings.deal IS 'the deal that it is about';
COMMENT ON COLUMN rulings.number IS 'number of the ruling at its table, from 1';
COMMENT ON COLUMN rulings.kind IS 'adjust, replace, void, accept, award or stands';
COMMENT ON COLUMN rulings.explanation IS 'the director''s words';
COMMENT ON COLUMN rulings.rule IS 'the rule that it names';
COMMENT ON COLUMN rulings.deltas IS 'amounts by seat, the first for seat 0';
COMMENT ON COLUMN rulings.pool_change IS 'change of the pool';
COMMENT ON COLUMN rulings.award IS 'the figures of a Couillon award';
COMMENT ON COLUMN rulings.dispute_version IS 'version of the dispute that it decides';
COMMENT ON COLUMN rulings.is_in_force IS 'whether no later ruling overruled it; adjustments add up';
COMMENT ON COLUMN rulings.version IS 'version of its entry in the table''s record';

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
COMMENT ON VIEW corrections IS 'One row for each correction of a record';
COMMENT ON COLUMN corrections.stream IS 'the record that it corrects: table/ or session/ and a name';
COMMENT ON COLUMN corrections.table_name IS 'the table; null: the record of a session';
COMMENT ON COLUMN corrections.corrected_version IS 'version of the entry that is read otherwise';
COMMENT ON COLUMN corrections.action IS 'replace, strike or insert_after';
COMMENT ON COLUMN corrections.events IS 'the events that take its place or follow it; null: it is struck';
COMMENT ON COLUMN corrections.reason IS 'why';
COMMENT ON COLUMN corrections.is_in_force IS 'whether no later correction names the same entry';
COMMENT ON COLUMN corrections.recorded_by IS 'who corrected';
COMMENT ON COLUMN corrections.recorded_at IS 'when, UTC';
COMMENT ON COLUMN corrections.version IS 'version of its own entry in that record';
