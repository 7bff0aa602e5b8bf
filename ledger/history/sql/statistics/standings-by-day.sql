-- How the standings came about: points and place of each player after each day of play.
-- parameters: player game since until session
--
-- One row for each player and each day on which anybody played, from the player's first day on.
--
--   played_on: the day
--   place: the place among all who had played by then; equal points share a place
--   player: the player's name
--   points: all points up to that day, the day included
--   gained: points of that day, 0 where the player did not play
WITH days AS (
  SELECT player, played_on, sum(amount)::BIGINT AS gained
  FROM counted_points($game, $session, $since, $until)
  GROUP BY player, played_on
),
grid AS (
  SELECT starts.player, calendar.played_on
  FROM (SELECT player, min(played_on) AS first_day FROM days GROUP BY player) AS starts
  JOIN (SELECT DISTINCT played_on FROM days) AS calendar ON calendar.played_on >= starts.first_day
),
summed AS (
  SELECT
    grid.played_on,
    grid.player,
    coalesce(days.gained, 0) AS gained,
    sum(coalesce(days.gained, 0)) OVER (PARTITION BY grid.player ORDER BY grid.played_on)::BIGINT AS points
  FROM grid LEFT JOIN days USING (player, played_on)
),
placed AS (
  SELECT played_on, rank() OVER (PARTITION BY played_on ORDER BY points DESC) AS place, player, points, gained
  FROM summed
)
SELECT *
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY played_on, place, player;
