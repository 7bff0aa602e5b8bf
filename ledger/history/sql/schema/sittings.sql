-- Sessions, tables, seats and players.

CREATE TABLE sessions (
  session        VARCHAR NOT NULL,
  title          VARCHAR,
  played_on      DATE,
  club           VARCHAR,
  place          VARCHAR,
  zone           VARCHAR,
  is_closed      BOOLEAN NOT NULL,
  first_position BIGINT NOT NULL,
  last_position  BIGINT NOT NULL
);

CREATE TABLE tables (
  table_name     VARCHAR NOT NULL,
  session        VARCHAR,
  game           VARCHAR NOT NULL,
  seat_count     INTEGER NOT NULL,
  options        JSON NOT NULL,
  played_on      DATE NOT NULL,
  is_closed      BOOLEAN NOT NULL,
  is_over        BOOLEAN NOT NULL,
  is_match       BOOLEAN NOT NULL,
  state          JSON NOT NULL,
  first_position BIGINT NOT NULL,
  last_position  BIGINT NOT NULL,
  last_digest    VARCHAR
);

CREATE TABLE seats (
  table_name VARCHAR NOT NULL,
  seat       INTEGER NOT NULL,
  player     VARCHAR NOT NULL,
  first_deal INTEGER,
  last_deal  INTEGER,
  deal_count INTEGER NOT NULL,
  is_seated  BOOLEAN NOT NULL,
  is_winner  BOOLEAN NOT NULL
);

CREATE TABLE player_links (
  spelling VARCHAR NOT NULL,
  player   VARCHAR NOT NULL
);

CREATE VIEW players AS
SELECT
  player,
  count(DISTINCT table_name) AS table_count,
  sum(deal_count)::BIGINT AS deal_count,
  min(played_on) AS first_played_on,
  max(played_on) AS last_played_on
FROM seats JOIN tables USING (table_name)
GROUP BY player;
