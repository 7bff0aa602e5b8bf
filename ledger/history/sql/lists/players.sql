-- Every player with numbers of tables and complete deals, by name, or only the requested one.
-- parameters: player
-- columns: player tables deals first_played_on last_played_on
WITH complete AS (
  SELECT player, count(*) AS deals
  FROM points
  WHERE cause = 'deal' AND status = 'complete' AND ($player::VARCHAR IS NULL OR player = $player)
  GROUP BY player
)
SELECT
  player,
  table_count AS tables,
  coalesce(deals, 0) AS deals,
  first_played_on::VARCHAR AS first_played_on,
  last_played_on::VARCHAR AS last_played_on
FROM players LEFT JOIN complete USING (player)
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY player;
