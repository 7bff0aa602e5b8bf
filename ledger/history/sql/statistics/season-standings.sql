-- Who stood where at the end of each season, a season being a calendar year.
-- parameters: player game since until session
--
-- One row for each player in each year, the latest year first. For other seasons: standings with --since and --until.
--
--   season: the year
--   place: 1 is the best of the year; equal points share a place
--   player: the player's name
--   points: all that moved the player's totals in that year
--   deals: deals at whose table the player sat
--   tables: number of tables
WITH totals AS (
  SELECT
    year(played_on) AS season,
    player,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal') AS deals,
    count(DISTINCT table_name) AS tables
  FROM counted_points($game, $session, $since, $until)
  GROUP BY season, player
),
placed AS (
  SELECT season, rank() OVER (PARTITION BY season ORDER BY points DESC) AS place, player, points, deals, tables
  FROM totals
)
SELECT *
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY season DESC, place, player;
