-- Who stands where: each player's points over all tables, rulings and closings included.
-- parameters: player game since until session
--
-- One row a player, best first; equal points share a place (1, 2, 2, 4). With a player named, that player's row alone,
-- with the place among all.
--
--   place: 1 is the best
--   player: the player's name
--   points: all that moved the player's totals
--   deals: complete deals at whose table the player sat, also when sitting out
--   tables: number of tables
--   sessions: number of sessions
--   points_per_deal: what a complete deal brought on the average, adjustments and closings not
--   mean_low: lower bound of its 95 % interval
--   mean_high: upper bound
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
  SELECT player, count(*) AS deals, avg(delta) AS mean, histogram(delta) AS spread
  FROM (
    SELECT unnest(players) AS player, unnest(deltas) AS delta
    FROM complete_deals($game, $session, $since, $until)
  )
  GROUP BY player
),
placed AS (
  SELECT rank() OVER (ORDER BY points DESC) AS place, *
  FROM totals LEFT JOIN means USING (player)
),
bounded AS (
  SELECT *, mean_interval(spread) AS bounds
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
