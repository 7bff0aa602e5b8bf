-- parameters: player {filters} seat min_deals
-- columns: game played_on place player points gained
WITH moved AS (
  SELECT
    game,
    player,
    played_on,
    sum(amount)::BIGINT AS gained,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals
  FROM counted_points({filters}, $seat)
  GROUP BY game, player, played_on
),
listed AS (
  SELECT player FROM moved GROUP BY player HAVING sum(deals) >= coalesce($min_deals::BIGINT, 0)
),
days AS (
  SELECT game, player, played_on, gained FROM moved SEMI JOIN listed USING (player)
),
calendar AS (
  SELECT game, played_on, row_number() OVER (PARTITION BY game ORDER BY played_on) AS number
  FROM (SELECT DISTINCT game, played_on FROM days)
),
ends AS (
  SELECT game, max(number) + 1 AS after_last FROM calendar GROUP BY game
),
-- The totals that hold from one day of a player until the next. Filling in the days between after adding up takes half the
-- time of adding up over all days.
stood AS (
  SELECT
    game,
    player,
    number AS since_number,
    lead(number) OVER so_far AS until_number,
    gained,
    (sum(gained) OVER so_far)::BIGINT AS points
  FROM days JOIN calendar USING (game, played_on)
  WINDOW so_far AS (PARTITION BY game, player ORDER BY number)
),
each_day AS (
  SELECT
    game,
    player,
    points,
    gained,
    since_number,
    unnest(range(since_number, coalesce(until_number, after_last))) AS number
  FROM stood JOIN ends USING (game)
),
summed AS (
  SELECT game, played_on, player, CASE WHEN number = since_number THEN gained ELSE 0 END AS gained, points
  FROM each_day JOIN calendar USING (game, number)
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
