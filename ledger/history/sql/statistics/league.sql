-- parameters: {filters} rules
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
FROM table_placings({filters}) JOIN point_spreads() USING (game)
WHERE is_over AND is_match
ORDER BY played_on, first_position, place, player;
