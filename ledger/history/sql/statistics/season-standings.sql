-- parameters: player {filters} seat min_deals
-- columns: game season place player points deals tables
WITH in_season AS (
  SELECT *, season_of(played_on, $season_from) AS first_year
  FROM counted_points({filters}, $seat)
  JOIN (SELECT table_name, is_match FROM tables) USING (table_name)
),
totals AS (
  SELECT
    game,
    first_year,
    player,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals,
    count(DISTINCT table_name) FILTER (is_match) AS tables
  FROM in_season
  GROUP BY game, first_year, player
  HAVING count(*) FILTER (cause = 'deal' AND status = 'complete') >= coalesce($min_deals::BIGINT, 0)
),
placed AS (
  SELECT *, rank() OVER (PARTITION BY game, first_year ORDER BY points DESC) AS place FROM totals
)
SELECT
  game,
  season_named(first_year, $season_from) AS season,
  place,
  player,
  points,
  deals,
  tables
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY first_year DESC, game, place, player;
