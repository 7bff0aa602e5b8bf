-- How the pool filled and emptied: what lay in it after each deal of a table.
-- parameters: player game since until session
--
-- One row a deal, of tables alone whose pool ever held anything. With a player named: of tables at which the player sat.
WITH chosen AS (
  SELECT table_name, deal, played_on, pool_after AS pool, first_position
  FROM deals
  WHERE ($game::VARCHAR IS NULL OR game = $game)
    AND ($session::VARCHAR IS NULL OR session = $session)
    AND ($since::DATE IS NULL OR played_on >= $since)
    AND ($until::DATE IS NULL OR played_on <= $until)
    AND ($player::VARCHAR IS NULL OR table_name IN (SELECT table_name FROM seats WHERE player = $player))
)
SELECT table_name, deal, played_on, pool
FROM chosen
QUALIFY max(pool) OVER (PARTITION BY table_name) > 0
ORDER BY min(first_position) OVER (PARTITION BY table_name), deal;
