-- parameters: game since until session option place weekday season season_from rules
-- columns: season place player points tables counted wins score standardised decided_by
SELECT
  table_name,
  session,
  game,
  played_on,
  player,
  place,
  points AS score,
  (points - avg(points) OVER (PARTITION BY table_name)) / nullif(spread, 0) AS standardised
FROM table_placings($game, $session, $since, $until, $option, $place, $weekday) JOIN point_spreads() USING (game)
WHERE is_over AND is_match
ORDER BY played_on, first_position, place, player;
