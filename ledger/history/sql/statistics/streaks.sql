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
    row_number() OVER by_player AS number,
    row_number() OVER by_sign AS number_of_sign
  FROM scored_deals($game, $session, $since, $until) AS deals JOIN deal_scores USING (table_name, deal)
  WHERE $player::VARCHAR IS NULL OR deal_scores.player = $player
  WINDOW
    by_player AS (PARTITION BY deal_scores.player ORDER BY deals.played_on, deals.first_position, seat),
    by_sign AS (PARTITION BY deal_scores.player, sign(delta) ORDER BY deals.played_on, deals.first_position, seat)
),
runs AS (
  SELECT player, sign, count(*) AS length, max(number) AS last_number
  FROM signs
  GROUP BY player, sign, number - number_of_sign
)
SELECT
  player,
  sum(length)::BIGINT AS deals,
  coalesce(max(length) FILTER (sign = 1), 0) AS longest_winning,
  coalesce(max(length) FILTER (sign = -1), 0) AS longest_losing,
  (arg_max(length, last_number) * arg_max(sign, last_number))::BIGINT AS latest
FROM runs
GROUP BY player
ORDER BY longest_winning DESC, player;
