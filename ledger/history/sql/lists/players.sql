-- Every player with how much he played, by name, or the one who is asked for.
-- parameters: player
-- columns: player tables deals first_played_on last_played_on
SELECT
  player,
  table_count AS tables,
  deal_count AS deals,
  first_played_on::VARCHAR AS first_played_on,
  last_played_on::VARCHAR AS last_played_on
FROM players
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY player;
