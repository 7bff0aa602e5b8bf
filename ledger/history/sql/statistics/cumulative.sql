-- Each player's score as it grew, table after table.
-- parameters: player game since until session
--
-- One row for each player at each table, in the order of play.
--
--   player: the player's name
--   number: the player's first table is 1
--   played_on: the table's day
--   table_name: the table
--   session: its session
--   game: its game
--   gained: the points made there, rulings and the closing included
--   total: the player's points up to the end of that table
SELECT
  player,
  row_number() OVER (PARTITION BY player ORDER BY played_on, first_position) AS number,
  played_on,
  table_name,
  session,
  game,
  points AS gained,
  sum(points) OVER (PARTITION BY player ORDER BY played_on, first_position)::BIGINT AS total
FROM table_placings($game, $session, $since, $until)
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY player, number;
