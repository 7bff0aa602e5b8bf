-- League tables by rules of your own: points for the places at each table, best results, seasons, tie-breaks.
-- parameters: game since until session rules
--
-- One row for each player in each season of the rules (--rules FILE, see docs/statistics.md). Tables that are over
-- count.
--
--   season: the season's name
--   place: 1 is the best; who is level to the end of the tie-breaks shares a place; null below min_tables
--   player: the player's name
--   points: league points of the tables that count
--   tables: tables played in the season
--   counted: tables that count, at most the best ones that the rules name
--   wins: counted tables won, alone or shared
--   score: points made at the counted tables by the games' own scores
--   decided_by: what set the player apart from others on equal terms: points or a tie-break; null: nothing did
SELECT table_name, session, game, played_on, player, place, points AS score
FROM table_placings($game, $session, $since, $until)
WHERE is_over
ORDER BY played_on, first_position, place, player;
