-- Takes the documents of deals apart: one statement for each table that is filled from them.
-- Several unnest() in one SELECT go side by side: the row n has the value n of each list.

INSERT INTO deals BY NAME
SELECT
  table_name, deal, session, game, played_on, started_at,
  dealer, status, contract, declarer, partner, trump, called_card, result, declarer_won, outcome,
  pool_before, pool_after, stock, first_version, first_position, last_position, players, deltas, play_counts,
  players[dealer + 1] AS dealer_player,
  players[declarer + 1] AS declarer_player,
  players[partner + 1] AS partner_player,
  coalesce(len(call_seats), 0) AS call_count,
  coalesce(len(play_cards), 0) AS card_count,
  trick_leaders[1] AS opening_leader,
  left(trick_cards[1], 2) AS opening_lead,
  trick_winners[1] AS opening_winner
FROM deal_documents;

INSERT INTO points BY NAME
SELECT
  table_name, deal, session, game, played_on,
  'deal' AS cause,
  generate_subscripts(deltas, 1) - 1 AS seat,
  unnest(players) AS player,
  unnest(deltas) AS amount
FROM deal_documents;

INSERT INTO score_lines BY NAME
SELECT
  table_name, deal,
  generate_subscripts(line_amounts, 1) AS line,
  unnest(line_rules) AS rule,
  unnest(line_payers) AS payer,
  players[unnest(line_payers) + 1] AS payer_player,
  unnest(line_payees) AS payee,
  players[unnest(line_payees) + 1] AS payee_player,
  unnest(line_amounts) AS amount,
  unnest(line_texts) AS explanation
FROM deal_documents;

INSERT INTO hands BY NAME
SELECT
  table_name, deal,
  generate_subscripts(hands, 1) - 1 AS seat,
  unnest(players[:len(hands)]) AS player,
  unnest(hands) AS cards,
  (length(unnest(hands)) + 1) // 3 AS card_count
FROM deal_documents;

INSERT INTO calls BY NAME
SELECT
  table_name, deal,
  generate_subscripts(call_seats, 1) AS number,
  unnest(call_seats) AS seat,
  players[unnest(call_seats) + 1] AS player,
  unnest(call_words) AS call,
  unnest(call_cards) AS card,
  unnest(call_versions) AS version
FROM deal_documents;

INSERT INTO announcements BY NAME
SELECT
  table_name, deal,
  generate_subscripts(said_words, 1) AS number,
  unnest(said_seats) AS seat,
  players[unnest(said_seats) + 1] AS player,
  unnest(said_words) AS word,
  unnest(said_for) AS for_seats,
  unnest(said_versions) AS version
FROM deal_documents;

INSERT INTO exchanges BY NAME
SELECT
  table_name, deal,
  generate_subscripts(exchange_seats, 1) AS number,
  unnest(exchange_seats) AS seat,
  players[unnest(exchange_seats) + 1] AS player,
  unnest(exchange_counts) AS card_count,
  unnest(exchange_discarded) AS discarded,
  unnest(exchange_drawn) AS drawn,
  unnest(exchange_versions) AS version
FROM deal_documents;

INSERT INTO plays BY NAME
SELECT
  table_name, deal,
  generate_subscripts(play_cards, 1) AS number,
  unnest(play_tricks) AS trick,
  unnest(play_places) AS place_in_trick,
  unnest(play_seats) AS seat,
  players[unnest(play_seats) + 1] AS player,
  unnest(play_cards) AS card,
  unnest(play_winners) AS trick_winner,
  unnest(play_versions) AS version
FROM deal_documents;

INSERT INTO tricks BY NAME
SELECT
  table_name, deal,
  generate_subscripts(trick_cards, 1) AS trick,
  unnest(trick_leaders) AS leader,
  players[unnest(trick_leaders) + 1] AS leader_player,
  unnest(trick_cards) AS cards,
  unnest(trick_winners) AS winner,
  players[unnest(trick_winners) + 1] AS winner_player
FROM deal_documents;
