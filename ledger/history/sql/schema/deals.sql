-- Results of deals, and every amount that moved.

CREATE TABLE deals (
  table_name       VARCHAR NOT NULL,
  deal             INTEGER NOT NULL,
  session          VARCHAR,
  game             VARCHAR NOT NULL,
  played_on        DATE NOT NULL,
  started_at       TIMESTAMP NOT NULL,
  dealer           INTEGER NOT NULL,
  dealer_player    VARCHAR NOT NULL,
  status           VARCHAR NOT NULL,
  contract         VARCHAR,
  declarer         INTEGER,
  declarer_player  VARCHAR,
  declarers        INTEGER[],
  declarer_players VARCHAR[],
  partner          INTEGER,
  partner_player   VARCHAR,
  trump            VARCHAR,
  called_card      VARCHAR,
  result           VARCHAR,
  declarer_won     BOOLEAN,
  is_ruled         BOOLEAN NOT NULL,
  outcome          JSON NOT NULL,
  pool_before      BIGINT NOT NULL,
  pool_after       BIGINT NOT NULL,
  stock            VARCHAR,
  call_count       INTEGER,
  card_count       INTEGER,
  opening_leader   INTEGER,
  opening_lead     VARCHAR,
  opening_winner   INTEGER,
  players          VARCHAR[] NOT NULL,
  deltas           BIGINT[] NOT NULL,
  amounts          BIGINT[] NOT NULL,
  seats_won        BOOLEAN[],
  play_counts      INTEGER[],
  first_version    INTEGER NOT NULL,
  first_position   BIGINT NOT NULL,
  last_position    BIGINT NOT NULL
);

CREATE TABLE points (
  table_name VARCHAR NOT NULL,
  deal       INTEGER,
  session    VARCHAR,
  game       VARCHAR NOT NULL,
  played_on  DATE NOT NULL,
  status     VARCHAR,
  cause      VARCHAR NOT NULL,
  seat       INTEGER NOT NULL,
  player     VARCHAR NOT NULL,
  amount     BIGINT NOT NULL
);

CREATE VIEW deal_scores AS
SELECT table_name, deal, seat, player, amount AS delta FROM points WHERE cause = 'deal';

CREATE TABLE score_lines (
  table_name   VARCHAR NOT NULL,
  deal         INTEGER,
  line         INTEGER NOT NULL,
  rule         VARCHAR,
  payer        INTEGER,
  payer_player VARCHAR,
  payee        INTEGER,
  payee_player VARCHAR,
  amount       BIGINT NOT NULL,
  explanation  VARCHAR NOT NULL,
  code         VARCHAR NOT NULL,
  values       JSON
);
