-- Takes the documents of deals apart: one statement for each table that is filled from them.
-- Several unnest() in one SELECT advance together: row n has value n of each list.

INSERT INTO deals BY NAME
SELECT
  table_name, deal, session, game, played_on, started_at,
  dealer, status, contract, declarer, declarers, partner, trump, called_card, result, declarer_won, outcome,
  pool_before, pool_after, stock, first_version, first_position, last_position, players, deltas, play_counts,
  coalesce(is_ruled, false) AS is_ruled,
  coalesce(amounts, deltas) AS amounts,
  CASE WHEN status = 'complete' THEN
    coalesce(seats_won, [CASE WHEN amount <> 0 THEN amount > 0 END FOR amount IN coalesce(amounts, deltas)])
  END AS seats_won,
  players[dealer + 1] AS dealer_player,
  players[declarer + 1] AS declarer_player,
  [players[seat + 1] FOR seat IN declarers] AS declarer_players,
  players[partner + 1] AS partner_player,
  CASE WHEN play_counts IS NOT NULL THEN coalesce(len(call_seats), 0) END AS call_count,
  CASE WHEN play_counts IS NOT NULL THEN coalesce(len(play_cards), 0) END AS card_count,
  trick_leaders[1] AS opening_leader,
  left(trick_cards[1], 2) AS opening_lead,
  trick_winners[1] AS opening_winner
FROM deal_documents;

INSERT INTO points BY NAME
SELECT
  table_name, deal, session, game, played_on, status,
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
  unnest(line_texts) AS explanation,
  unnest(line_codes) AS code,
  unnest(line_values) AS values
FROM deal_documents;

INSERT INTO deal_moves BY NAME
SELECT
  table_name, deal, players, hands, kept, card_order,
  call_versions, call_seats, call_words, call_cards,
  said_versions, said_seats, said_words, said_for,
  exchange_versions, exchange_seats, exchange_counts, exchange_discarded, exchange_drawn,
  play_versions, play_seats, play_cards, play_tricks, play_places, play_winners,
  trick_leaders, trick_cards, trick_winners
FROM deal_documents;
