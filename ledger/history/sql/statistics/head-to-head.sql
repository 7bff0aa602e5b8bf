-- parameters: player {filters} seat min_deals
-- columns: player opponent_player tables ahead level behind share_ahead low high received paid
WITH made AS (
  SELECT
    table_name,
    player,
    min(seat) AS seat,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals
  FROM counted_points({filters})
  GROUP BY table_name, player
),
placings AS (
  SELECT made.*, game, CAST($teams::JSON AS MAP(VARCHAR, INTEGER))[game] AS teams
  FROM made JOIN tables USING (table_name)
  WHERE is_over AND is_match
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
  FROM placings AS mine JOIN placings AS theirs USING (table_name)
  WHERE mine.player <> theirs.player
    AND (mine.teams IS NULL OR mine.seat % mine.teams <> theirs.seat % mine.teams)
    AND ($seat::INTEGER IS NULL OR mine.seat = $seat)
  GROUP BY mine.player, theirs.player
  HAVING sum(least(mine.deals, theirs.deals)) >= coalesce($min_deals::BIGINT, 0)
),
seated AS (
  SELECT table_name, player FROM placings WHERE $seat::INTEGER IS NULL OR seat = $seat
),
payments AS (
  SELECT
    game,
    payer_player,
    payee_player,
    (sum(amount) FILTER ($seat::INTEGER IS NULL OR (table_name, payee_player) IN (FROM seated)))::BIGINT AS received,
    (sum(amount) FILTER ($seat::INTEGER IS NULL OR (table_name, payer_player) IN (FROM seated)))::BIGINT AS paid
  FROM score_lines JOIN (SELECT DISTINCT table_name, game FROM placings) USING (table_name)
  WHERE payer IS NOT NULL AND payee IS NOT NULL
    AND ($player::VARCHAR IS NULL OR payer_player = $player OR payee_player = $player)
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
