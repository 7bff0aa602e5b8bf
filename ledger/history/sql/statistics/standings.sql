-- parameters: player {filters} seat min_deals by
-- columns: game place player points deals tables sessions closing_and_rulings points_per_deal mean_low mean_high
WITH at_tables AS (
  -- Tables and sessions are counted after their points are added up, in half the time of counting them among all points.
  SELECT table_name, session, game, player, sum(amount) AS points
  FROM counted_points({filters}, $seat)
  GROUP BY table_name, session, game, player
),
of_sessions AS (
  SELECT session, game, player, sum(points) AS points, count(*) FILTER (is_match) AS tables
  FROM at_tables JOIN (SELECT table_name, is_match FROM tables) USING (table_name)
  GROUP BY session, game, player
),
totals AS (
  SELECT
    game,
    player,
    sum(points)::BIGINT AS points,
    sum(tables)::BIGINT AS tables,
    count(session) FILTER (tables > 0) AS sessions
  FROM of_sessions
  GROUP BY game, player
),
means AS (
  SELECT
    game,
    player,
    count(*) AS deals,
    sum(delta)::BIGINT AS points_of_deals,
    avg(delta) AS mean,
    amounts_of(delta, table_name, $by) AS amounts
  FROM (
    SELECT table_name, game, unnest(players) AS player, unnest(deltas) AS delta, generate_subscripts(deltas, 1) - 1 AS seat
    FROM complete_deals({filters})
  )
  WHERE ($seat::INTEGER IS NULL OR seat = $seat)
    -- the deals of others count only where too few leave a player out
    AND ($player::VARCHAR IS NULL OR $min_deals::BIGINT IS NOT NULL OR player = $player)
  GROUP BY game, player
),
placed AS (
  SELECT rank() OVER (PARTITION BY game ORDER BY points DESC) AS place, *
  FROM totals LEFT JOIN means USING (game, player)
  WHERE coalesce(deals, 0) >= coalesce($min_deals::BIGINT, 0)
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals(game, 'points')) AS bounds
  FROM placed
  WHERE $player::VARCHAR IS NULL OR player = $player
)
SELECT
  game,
  place,
  player,
  points,
  coalesce(deals, 0) AS deals,
  tables,
  sessions,
  points - coalesce(points_of_deals, 0) AS closing_and_rulings,
  round(mean, 2) AS points_per_deal,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY game, place, player;
