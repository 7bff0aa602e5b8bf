-- parameters: player {filters} seat min_deals
-- columns: place player table_points standardised tables deals
WITH results AS (
  SELECT
    *,
    players - place - (count(*) OVER (PARTITION BY table_name, place) - 1) / 2 AS points_of_place,
    points - avg(points) OVER (PARTITION BY table_name) AS off_mean
  FROM table_placings({filters})
  WHERE is_over AND is_match
),
totals AS (
  SELECT
    player,
    sum(points_of_place) AS table_points,
    CASE WHEN bool_and(coalesce(spread, 0) > 0) THEN sum(off_mean / nullif(spread, 0)) END AS standardised,
    count(*) AS tables,
    sum(deals)::BIGINT AS deals
  FROM results JOIN point_spreads() USING (game)
  WHERE $seat::INTEGER IS NULL OR seat = $seat
  GROUP BY player
  HAVING sum(deals) >= coalesce($min_deals::BIGINT, 0)
),
placed AS (
  SELECT rank() OVER (ORDER BY table_points DESC) AS place, * FROM totals
)
SELECT place, player, table_points, round(standardised, 3) AS standardised, tables, deals
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY place, player;
