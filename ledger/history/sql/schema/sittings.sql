-- Who sat down with whom: sessions, tables, seats, players.

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
COMMENT ON TABLE sessions IS 'One row a session: an evening or a tournament with its tables';
COMMENT ON COLUMN sessions.session IS 'its name in the ledger, without session/';
COMMENT ON COLUMN sessions.title IS 'its title';
COMMENT ON COLUMN sessions.played_on IS 'its date';
COMMENT ON COLUMN sessions.club IS 'the club, where it was told';
COMMENT ON COLUMN sessions.place IS 'where it was played, where it was told';
COMMENT ON COLUMN sessions.zone IS 'the time zone there (IANA name), where it was told';
COMMENT ON COLUMN sessions.is_closed IS 'whether it was closed';
COMMENT ON COLUMN sessions.first_position IS 'log position of its first entry';
COMMENT ON COLUMN sessions.last_position IS 'log position of its last entry';

CREATE TABLE tables (
  table_name     VARCHAR NOT NULL,
  session        VARCHAR,
  game           VARCHAR NOT NULL,
  seat_count     INTEGER NOT NULL,
  options        JSON NOT NULL,
  played_on      DATE NOT NULL,
  is_closed      BOOLEAN NOT NULL,
  is_over        BOOLEAN NOT NULL,
  state          JSON NOT NULL,
  first_position BIGINT NOT NULL,
  last_position  BIGINT NOT NULL
);
COMMENT ON TABLE tables IS 'One row a table: one sitting of one game with fixed options';
COMMENT ON COLUMN tables.table_name IS 'its name in the ledger, without table/';
COMMENT ON COLUMN tables.session IS 'the session that it belongs to';
COMMENT ON COLUMN tables.game IS 'ombre, quadrille, couillon, kop or baska';
COMMENT ON COLUMN tables.seat_count IS 'number of seats';
COMMENT ON COLUMN tables.options IS 'the options that differ from the rulebook''s defaults';
COMMENT ON COLUMN tables.played_on IS 'the session''s date; without one, the day on which the table was opened';
COMMENT ON COLUMN tables.is_closed IS 'whether the table was closed';
COMMENT ON COLUMN tables.is_over IS 'whether the match is over, by its rules or because the table was closed';
COMMENT ON COLUMN tables.state IS 'what carries on after the last deal, for example {"pool": 5}';
COMMENT ON COLUMN tables.first_position IS 'log position of its first entry';
COMMENT ON COLUMN tables.last_position IS 'log position of its last entry, corrections included';

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
COMMENT ON TABLE seats IS 'One row for each player at each seat of a table; after a substitution a seat has several';
COMMENT ON COLUMN seats.table_name IS 'the table';
COMMENT ON COLUMN seats.seat IS 'the seat, from 0 in the order of play';
COMMENT ON COLUMN seats.player IS 'the player''s name';
COMMENT ON COLUMN seats.first_deal IS 'the first deal with this player at this seat; null: none yet';
COMMENT ON COLUMN seats.last_deal IS 'the last one';
COMMENT ON COLUMN seats.deal_count IS 'number of deals with this player at this seat';
COMMENT ON COLUMN seats.is_seated IS 'whether the player sits there at the end of the record';
COMMENT ON COLUMN seats.is_winner IS 'whether the player sits at the end on a seat that has won the match; false while it is not over';

CREATE VIEW players AS
SELECT
  player,
  count(DISTINCT table_name) AS table_count,
  sum(deal_count)::BIGINT AS deal_count,
  min(played_on) AS first_played_on,
  max(played_on) AS last_played_on
FROM seats JOIN tables USING (table_name)
GROUP BY player;
COMMENT ON VIEW players IS 'One row a player: a name that ever had a seat';
COMMENT ON COLUMN players.player IS 'the player''s name';
COMMENT ON COLUMN players.table_count IS 'number of tables at which the player had a seat';
COMMENT ON COLUMN players.deal_count IS 'number of deals at which the player had a seat, also when sitting out';
COMMENT ON COLUMN players.first_played_on IS 'the day of the first table';
COMMENT ON COLUMN players.last_played_on IS 'the day of the last table';
