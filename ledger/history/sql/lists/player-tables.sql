-- The tables at which a player sat, each with its day and the log position of its last entry. The rows of the player's
-- deals change only with one of these.
-- parameters: player
-- columns: table_name played_on last_position
SELECT table_name, played_on, last_position
FROM tables
WHERE table_name IN (SELECT table_name FROM seats WHERE player = $player)
ORDER BY table_name;
