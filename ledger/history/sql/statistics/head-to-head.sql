-- parameters: player game since until session option place weekday season season_from seat min_deals
-- columns: player opponent_player tables ahead level behind share_ahead low high received paid
WITH placings AS (
  SELECT * FROM table_placings($game, $session, $since, $until, $option, $place, $weekday) WHERE is_over
),
fixed_teams AS (
  SELECT unnest(map_keys(counts)) AS game, unnest(map_values(counts)) AS teams
  FROM (SELECT CAST($teams::JSON AS MAP(VARCHAR, INTEGER)) AS counts)
),
met AS (
  SELECT
    mine.player,
    theirs.player AS opponent_player,
    -- points of different games are never added up
    CASE WHEN min(mine.game) = max(mine.game) THEN min(mine.game) END AS only_game,
    count(*) AS tables,
    count(*) FILTER (mine.points > theirs.points) AS ahead,
    count(*) FILTER (mine.points = theirs.points) AS level,
    count(*) FILTER (mine.points < theirs.points) AS behind
  FROM placings AS mine JOIN placings AS theirs USING (table_name) LEFT JOIN fixed_teams ON fixed_teams.game = mine.game
  WHERE mine.player <> theirs.player
    AND (teams IS NULL OR mine.seat % teams <> theirs.seat % teams)
    AND ($seat::INTEGER IS NULL OR mine.seat = $seat)
  GROUP BY mine.player, theirs.player
  HAVING sum(least(mine.deals, theirs.deals)) >= coalesce($min_deals::BIGINT, 0)
),
paid_at_tables AS (
  SELECT score_lines.table_name, score_lines.deal, tables.game, payer, payer_player, payee, payee_player, amount
  FROM score_lines JOIN tables ON tables.table_name = score_lines.table_name
  SEMI JOIN tables_with($option, $place) AS chosen ON chosen.table_name = tables.table_name
  WHERE payer IS NOT NULL AND payee IS NOT NULL AND tables.is_over
    AND is_left(tables.game, tables.session, tables.played_on, $game, $session, NULL, NULL, NULL)
),
-- The deals of a table differ in their days alone: where none are asked for, the second half is empty, and the planner
-- knows. To look up the deal of each payment took a third of the time.
counted_payments AS (
  SELECT game, payer, payer_player, payee, payee_player, amount
  FROM paid_at_tables
  WHERE $since::DATE IS NULL AND $until::DATE IS NULL AND $weekday::VARCHAR IS NULL
  UNION ALL
  SELECT paid.game, payer, payer_player, payee, payee_player, paid.amount
  FROM paid_at_tables AS paid
  SEMI JOIN counted_points($game, $session, $since, $until, $option, $place, $weekday) AS counted
    ON counted.table_name = paid.table_name AND counted.deal IS NOT DISTINCT FROM paid.deal
  WHERE $since::DATE IS NOT NULL OR $until::DATE IS NOT NULL OR $weekday::VARCHAR IS NOT NULL
),
payments AS (
  SELECT
    game,
    payer_player,
    payee_player,
    (sum(amount) FILTER ($seat::INTEGER IS NULL OR payee = $seat))::BIGINT AS received,
    (sum(amount) FILTER ($seat::INTEGER IS NULL OR payer = $seat))::BIGINT AS paid
  FROM counted_payments
  GROUP BY game, payer_player, payee_player
)
SELECT
  met.* EXCLUDE (only_game),
  round((ahead + level / 2) / tables, 3) AS share_ahead,
  round(wilson_low(ahead + level / 2, tables), 3) AS low,
  round(wilson_high(ahead + level / 2, tables), 3) AS high,
  CASE WHEN only_game IS NOT NULL THEN coalesce(received.received, 0) END AS received,
  CASE WHEN only_game IS NOT NULL THEN coalesce(paid.paid, 0) END AS paid
FROM met
LEFT JOIN payments AS received
  ON received.game = only_game
  AND received.payee_player = met.player
  AND received.payer_player = met.opponent_player
LEFT JOIN payments AS paid
  ON paid.game = only_game AND paid.payer_player = met.player AND paid.payee_player = met.opponent_player
WHERE $player::VARCHAR IS NULL OR met.player = $player
ORDER BY player, tables DESC, opponent_player;
