-- parameters: player game since until session min_deals
-- columns: season place player points deals tables
WITH totals AS (
  SELECT
    year(played_on) AS season,
    player,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals,
    count(DISTINCT table_name) AS tables
  FROM counted_points($game, $session, $since, $until)
  GROUP BY season, player
  HAVING count(*) FILTER (cause = 'deal' AND status = 'complete') >= coalesce($min_deals::BIGINT, 0)
),
placed AS (
  SELECT season, rank() OVER (PARTITION BY season ORDER BY points DESC) AS place, player, points, deals, tables
  FROM totals
)
SELECT *
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY season DESC, place, player;
