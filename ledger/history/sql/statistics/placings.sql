-- parameters: player game since until session
-- columns: played_on table_name session game is_over place player points deals players
SELECT played_on, table_name, session, game, is_over, place, player, points, deals, players
FROM table_placings($game, $session, $since, $until)
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY played_on, first_position, place, player;
