-- How strong everybody is across all games, with the uncertainty: a Plackett–Luce rating (openskill).
-- parameters: player game since until session
--
-- One row a player, best first. Every table that is over is one match: its places are the result, the members of a
-- Couillon team play as a team, and tables of any game count alike, in the order of play. Everybody begins with
-- 25 ± 8.33.
--
--   place: by the cautious rating; equal ratings share a place
--   player: the player's name
--   rating: the estimate
--   uncertainty: its standard deviation, which shrinks with every table
--   low: lower bound of the 95 % interval of the rating
--   high: upper bound
--   cautious: rating less three times the uncertainty, so that nobody leads by one lucky evening
--   tables: number of tables
SELECT table_name, played_on, game, seat, player, place
FROM table_placings($game, $session, $since, $until)
WHERE is_over
ORDER BY played_on, first_position, seat;
