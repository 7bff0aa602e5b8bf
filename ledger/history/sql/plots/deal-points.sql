-- parameters: player {filters}
WITH moved AS (
  SELECT game, unnest(players) AS player, unnest(deltas) AS points
  FROM complete_deals({filters})
),
counted AS (
  SELECT game, points, count(*) AS times
  FROM moved
  WHERE $player::VARCHAR IS NULL OR player = $player
  GROUP BY game, points
)
SELECT game, points, times, times / sum(times) OVER (PARTITION BY game) AS share
FROM counted
ORDER BY game, points;
