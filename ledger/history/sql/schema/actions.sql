-- Actions in deals: hands, calls, announcements, exchanges, plays and tricks, as corrected.
--
-- They are stored as lists, a row a deal, and the nouns are views that unnest them: a table with a row for each card would
-- take a tenth longer to build and maintain, and queries of it are hardly faster. Several unnest() in one SELECT advance
-- together: row n has value n of each list.

CREATE TABLE deal_moves (
  table_name         VARCHAR NOT NULL,
  deal               INTEGER NOT NULL,
  players            VARCHAR[] NOT NULL,
  hands              VARCHAR[],
  kept               VARCHAR[],
  card_order         VARCHAR,
  call_versions      INTEGER[],
  call_seats         INTEGER[],
  call_words         VARCHAR[],
  call_cards         VARCHAR[],
  said_versions      INTEGER[],
  said_seats         INTEGER[],
  said_words         VARCHAR[],
  said_for           INTEGER[][],
  exchange_versions  INTEGER[],
  exchange_seats     INTEGER[],
  exchange_counts    INTEGER[],
  exchange_discarded VARCHAR[],
  exchange_drawn     VARCHAR[],
  play_versions      INTEGER[],
  play_seats         INTEGER[],
  play_cards         VARCHAR[],
  play_tricks        INTEGER[],
  play_places        INTEGER[],
  play_winners       INTEGER[],
  trick_leaders      INTEGER[],
  trick_cards        VARCHAR[],
  trick_winners      INTEGER[]
);

CREATE VIEW hands AS
SELECT
  table_name, deal,
  (generate_subscripts(hands, 1) - 1)::INTEGER AS seat,
  unnest(players[:len(hands)]) AS player,
  unnest(hands) AS cards,
  ((length(unnest(hands)) + 1) // 3)::INTEGER AS card_count
FROM deal_moves;

CREATE VIEW calls AS
SELECT
  table_name, deal,
  generate_subscripts(call_seats, 1)::INTEGER AS number,
  unnest(call_seats) AS seat,
  players[unnest(call_seats) + 1] AS player,
  unnest(call_words) AS call,
  unnest(call_cards) AS card,
  unnest(call_versions) AS version
FROM deal_moves;

CREATE VIEW announcements AS
SELECT
  table_name, deal,
  generate_subscripts(said_words, 1)::INTEGER AS number,
  unnest(said_seats) AS seat,
  players[unnest(said_seats) + 1] AS player,
  unnest(said_words) AS word,
  unnest(said_for) AS for_seats,
  unnest(said_versions) AS version
FROM deal_moves;

CREATE VIEW exchanges AS
SELECT
  table_name, deal,
  generate_subscripts(exchange_seats, 1)::INTEGER AS number,
  unnest(exchange_seats) AS seat,
  players[unnest(exchange_seats) + 1] AS player,
  unnest(exchange_counts) AS card_count,
  unnest(exchange_discarded) AS discarded,
  unnest(exchange_drawn) AS drawn,
  unnest(exchange_versions) AS version
FROM deal_moves;

CREATE VIEW plays AS
SELECT
  table_name, deal,
  generate_subscripts(play_cards, 1)::INTEGER AS number,
  unnest(play_tricks) AS trick,
  unnest(play_places) AS place_in_trick,
  unnest(play_seats) AS seat,
  players[unnest(play_seats) + 1] AS player,
  unnest(play_cards) AS card,
  unnest(play_winners) AS trick_winner,
  unnest(play_versions) AS version
FROM deal_moves;

CREATE VIEW tricks AS
SELECT
  table_name, deal,
  generate_subscripts(trick_cards, 1)::INTEGER AS trick,
  unnest(trick_leaders) AS leader,
  players[unnest(trick_leaders) + 1] AS leader_player,
  unnest(trick_cards) AS cards,
  unnest(trick_winners) AS winner,
  players[unnest(trick_winners) + 1] AS winner_player
FROM deal_moves;
