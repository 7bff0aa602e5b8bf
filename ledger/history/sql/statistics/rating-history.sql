-- How the ratings came about: each player's rating after each table.
-- parameters: player game since until session
--
-- One row for each player at each table that is over, in the order of play; the rating is that of `ratings`.
--
--   player: the player's name
--   number: the player's first table is 1
--   played_on: the table's day
--   table_name: the table
--   game: its game
--   place: the player's place there
--   rating: the estimate after it
--   uncertainty: its standard deviation
--   low: lower bound of the 95 % interval of the rating
--   high: upper bound
SELECT table_name, played_on, game, seat, player, place
FROM table_placings($game, $session, $since, $until)
WHERE is_over
ORDER BY played_on, first_position, seat;
