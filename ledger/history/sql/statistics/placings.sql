-- parameters: player {filters} seat
-- columns: played_on table_name session game is_over place player points deals players
SELECT played_on, table_name, session, game, is_over, place, player, points, deals, players
FROM table_placings({filters})
WHERE is_match AND ($player::VARCHAR IS NULL OR player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
ORDER BY played_on, first_position, place, player;
