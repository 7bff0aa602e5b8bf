-- parameters: player game since until session min_deals by
-- columns: place player points deals tables sessions points_per_deal mean_low mean_high
WITH totals AS (
  SELECT
    player,
    sum(amount)::BIGINT AS points,
    count(DISTINCT table_name) AS tables,
    count(DISTINCT session) AS sessions
  FROM counted_points($game, $session, $since, $until)
  GROUP BY player
),
means AS (
  SELECT
    player,
    count(*) AS deals,
    avg(delta) AS mean,
    max(minimum_deals(game, 'points')) AS least,
    amounts_of(delta, table_name, $by) AS amounts
  FROM (
    SELECT table_name, game, unnest(players) AS player, unnest(deltas) AS delta
    FROM complete_deals($game, $session, $since, $until)
  )
  GROUP BY player
),
placed AS (
  SELECT rank() OVER (ORDER BY points DESC) AS place, *
  FROM totals LEFT JOIN means USING (player)
  WHERE coalesce(deals, 0) >= coalesce($min_deals::BIGINT, 0)
),
bounded AS (
  SELECT *, bounds_of(amounts, least) AS bounds
  FROM placed
  WHERE $player::VARCHAR IS NULL OR player = $player
)
SELECT
  place,
  player,
  points,
  coalesce(deals, 0) AS deals,
  tables,
  sessions,
  round(mean, 2) AS points_per_deal,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY place, player;
