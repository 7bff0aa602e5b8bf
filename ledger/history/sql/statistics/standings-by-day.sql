-- parameters: player game since until session option place weekday season season_from min_deals
-- columns: game played_on place player points gained
WITH moved AS (
  SELECT
    game,
    player,
    played_on,
    sum(amount)::BIGINT AS gained,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals
  FROM counted_points($game, $session, $since, $until, $option, $place, $weekday)
  GROUP BY game, player, played_on
),
listed AS (
  SELECT player FROM moved GROUP BY player HAVING sum(deals) >= coalesce($min_deals::BIGINT, 0)
),
days AS (
  SELECT game, player, played_on, gained FROM moved SEMI JOIN listed USING (player)
),
grid AS (
  SELECT starts.game, starts.player, calendar.played_on
  FROM (SELECT game, player, min(played_on) AS first_day FROM days GROUP BY game, player) AS starts
  JOIN (SELECT DISTINCT game, played_on FROM days) AS calendar
    ON calendar.game = starts.game AND calendar.played_on >= starts.first_day
),
summed AS (
  SELECT
    grid.game,
    grid.played_on,
    grid.player,
    coalesce(days.gained, 0) AS gained,
    sum(coalesce(days.gained, 0)) OVER (PARTITION BY grid.game, grid.player ORDER BY grid.played_on)::BIGINT AS points
  FROM grid LEFT JOIN days USING (game, player, played_on)
),
placed AS (
  SELECT
    game,
    played_on,
    rank() OVER (PARTITION BY game, played_on ORDER BY points DESC) AS place,
    player,
    points,
    gained
  FROM summed
)
SELECT *
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY game, played_on, place, player;
