-- How the standings moved: each player's place after each deal of an evening, each day, or each month.
-- parameters: player game since until session
--
-- One row for a player and a `moment`: deal by deal (of all tables at once) where one day is asked for, else by day, by
-- month where there are more than 60 days. `place` is among all who have played by then; equal points share it.
WITH chosen AS (
  SELECT
    player,
    played_on,
    coalesce(deal, max(deal) OVER (PARTITION BY table_name), 0) AS deal,
    amount
  FROM points
  WHERE ($game::VARCHAR IS NULL OR game = $game)
    AND ($session::VARCHAR IS NULL OR session = $session)
    AND ($since::DATE IS NULL OR played_on >= $since)
    AND ($until::DATE IS NULL OR played_on <= $until)
),
grain AS (
  SELECT CASE WHEN count(DISTINCT played_on) <= 1 THEN 'deal' WHEN count(DISTINCT played_on) <= 60 THEN 'day' ELSE 'month' END AS unit
  FROM chosen
),
dated AS (
  SELECT
    player,
    amount,
    unit,
    CASE unit WHEN 'deal' THEN deal ELSE datediff('day', DATE '0001-01-01', date_trunc(unit, played_on)) END AS moment_order,
    CASE unit WHEN 'deal' THEN deal::VARCHAR WHEN 'day' THEN strftime(played_on, '%Y-%m-%d') ELSE strftime(played_on, '%Y-%m') END AS moment
  FROM chosen CROSS JOIN grain
),
stepped AS (
  SELECT player, amount, unit, moment, dense_rank() OVER (ORDER BY moment_order) AS step FROM dated
),
steps AS (SELECT DISTINCT step, moment, unit FROM stepped),
firsts AS (SELECT player, min(step) AS first_step FROM stepped GROUP BY player),
gained AS (SELECT player, step, sum(amount) AS amount FROM stepped GROUP BY player, step),
so_far AS (
  SELECT
    steps.unit,
    steps.step,
    steps.moment,
    firsts.player,
    sum(coalesce(gained.amount, 0)) OVER (PARTITION BY firsts.player ORDER BY steps.step)::BIGINT AS points
  FROM steps
  JOIN firsts ON steps.step >= firsts.first_step
  LEFT JOIN gained ON gained.player = firsts.player AND gained.step = steps.step
),
placed AS (
  SELECT *, rank() OVER (PARTITION BY step ORDER BY points DESC) AS place FROM so_far
)
SELECT player, unit, step, moment, points, place
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY step, place, player;
