-- parameters: player {filters} seat
-- columns: player number played_on table_name session game gained total
WITH made AS (
  SELECT table_name, player, min(seat) AS seat, sum(amount)::BIGINT AS points
  FROM counted_points({filters})
  GROUP BY table_name, player
)
SELECT
  player,
  row_number() OVER (PARTITION BY player ORDER BY played_on, first_position) AS number,
  played_on,
  table_name,
  session,
  game,
  points AS gained,
  sum(points) OVER (PARTITION BY game, player ORDER BY played_on, first_position)::BIGINT AS total
FROM made JOIN tables USING (table_name)
WHERE ($player::VARCHAR IS NULL OR player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
ORDER BY player, number;
