-- Who came where at which table: the ground of league tables and ratings.
-- parameters: player game since until session
--
-- One row for each player at each table, in the order of play.
--
--   played_on: the table's day
--   table_name: the table
--   session: its session
--   game: its game
--   is_over: whether the match is over
--   place: by the points made there; equal points share a place, and so do the two of a Couillon team
--   player: the player's name
--   points: the points made there, rulings and the closing included
--   deals: deals at whose table the player sat
--   players: number of players at the table
SELECT played_on, table_name, session, game, is_over, place, player, points, deals, players
FROM table_placings($game, $session, $since, $until)
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY played_on, first_position, place, player;
