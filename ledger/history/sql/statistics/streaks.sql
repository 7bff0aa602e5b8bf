-- Streaks: the longest runs of deals that brought points, or cost them.
-- parameters: player game since until session
--
-- One row a player, in the order of the record. Complete deals count; one that moved nothing for the player ends a run.
--
--   player: the player's name
--   deals: number of deals
--   longest_winning: most deals in a row that brought points
--   longest_losing: most deals in a row that cost points
--   latest: the run that the last deal belongs to: 3 are three winning deals, -3 three losing ones, 0 neither
WITH signs AS (
  SELECT
    deal_scores.player,
    sign(delta) AS sign,
    lag(sign(delta)) OVER in_order AS sign_before,
    row_number() OVER in_order AS number
  FROM scored_deals($game, $session, $since, $until) AS deals JOIN deal_scores USING (table_name, deal)
  WHERE $player::VARCHAR IS NULL OR deal_scores.player = $player
  WINDOW in_order AS (PARTITION BY deal_scores.player ORDER BY deals.played_on, deals.first_position, seat)
),
starts AS (
  SELECT player, sign, number, lead(number) OVER (PARTITION BY player ORDER BY number) AS next_number
  FROM signs
  WHERE sign_before IS DISTINCT FROM sign
),
counts AS (
  SELECT player, count(*) AS deals FROM signs GROUP BY player
),
runs AS (
  SELECT player, sign, number, coalesce(next_number, deals + 1) - number AS length
  FROM starts JOIN counts USING (player)
)
SELECT
  player,
  sum(length)::BIGINT AS deals,
  coalesce(max(length) FILTER (sign = 1), 0) AS longest_winning,
  coalesce(max(length) FILTER (sign = -1), 0) AS longest_losing,
  (arg_max(length, number) * arg_max(sign, number))::BIGINT AS latest
FROM runs
GROUP BY player
ORDER BY longest_winning DESC, player;
