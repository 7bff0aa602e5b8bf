-- parameters: player {filters}
WITH last_deals AS (
  SELECT table_name, max(deal) AS last_deal FROM points GROUP BY table_name
),
chosen AS (
  SELECT points.game, points.player, points.played_on, coalesce(points.deal, last_deals.last_deal, 0) AS deal, points.amount
  FROM counted_points({filters}) AS points JOIN last_deals USING (table_name)
),
grain AS (
  SELECT CASE WHEN count(DISTINCT played_on) <= 1 THEN 'deal' WHEN count(DISTINCT played_on) <= 60 THEN 'day' ELSE 'month' END AS unit
  FROM chosen
),
gained AS (
  SELECT
    game,
    player,
    unit,
    CASE unit WHEN 'deal' THEN deal END AS deal,
    CASE unit WHEN 'day' THEN played_on WHEN 'month' THEN date_trunc('month', played_on)::DATE END AS day,
    sum(amount) AS amount
  FROM chosen CROSS JOIN grain
  GROUP BY ALL
),
stepped AS (
  SELECT
    *,
    dense_rank() OVER (PARTITION BY game ORDER BY day, deal) AS step,
    coalesce(deal::VARCHAR, CASE unit WHEN 'day' THEN strftime(day, '%Y-%m-%d') ELSE strftime(day, '%Y-%m') END) AS moment
  FROM gained
),
steps AS (SELECT DISTINCT game, step, moment, unit FROM stepped),
firsts AS (SELECT game, player, min(step) AS first_step FROM stepped GROUP BY game, player),
so_far AS (
  SELECT
    firsts.game,
    firsts.player,
    steps.unit,
    steps.step,
    steps.moment,
    sum(coalesce(stepped.amount, 0)) OVER (PARTITION BY firsts.game, firsts.player ORDER BY steps.step)::BIGINT AS points
  FROM steps
  JOIN firsts ON firsts.game = steps.game AND steps.step >= firsts.first_step
  LEFT JOIN stepped ON stepped.game = firsts.game AND stepped.player = firsts.player AND stepped.step = steps.step
),
placed AS (
  SELECT *, rank() OVER (PARTITION BY game, step ORDER BY points DESC) AS place FROM so_far
)
SELECT game, player, unit, step, moment, points, place
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY game, step, place, player;
