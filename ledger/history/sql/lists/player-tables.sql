-- The tables at which a player sat, each with its day, the log position of its last entry and whether it is over. The rows
-- of the player's deals change only with one of these, and those of finished tables only with one that is over.
-- parameters: player
-- columns: table_name played_on last_position is_over
SELECT table_name, played_on, last_position, is_over
FROM tables
WHERE table_name IN (SELECT table_name FROM seats WHERE player = $player)
ORDER BY table_name;
