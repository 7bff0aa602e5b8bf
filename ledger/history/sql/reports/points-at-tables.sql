-- The points of each player at each table, by day: after each deal what it brought, closing and rulings included, and 1 for
-- a complete one.
-- parameters: {filters}
-- columns: table_name game is_over is_match player gains counts
WITH last_deals AS (
  SELECT table_name, max(deal) AS last_deal FROM points GROUP BY table_name
),
moved AS (
  SELECT
    points.table_name,
    points.played_on,
    points.player,
    coalesce(points.deal, last_deal, 0) AS number,
    sum(points.amount)::BIGINT AS gain,
    count(*) FILTER (points.cause = 'deal' AND points.status = 'complete') AS deals
  FROM counted_points({filters}) AS points JOIN last_deals USING (table_name)
  GROUP BY ALL
)
SELECT
  table_name,
  game,
  is_over,
  is_match,
  player,
  list(gain ORDER BY number) AS gains,
  list(deals ORDER BY number) AS counts
FROM moved JOIN tables USING (table_name)
GROUP BY table_name, game, is_over, is_match, moved.played_on, first_position, player
ORDER BY moved.played_on, first_position, player;
