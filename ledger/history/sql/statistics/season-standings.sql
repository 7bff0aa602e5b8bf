-- parameters: player game since until session min_deals season_from
-- columns: game season place player points deals tables
WITH in_season AS (
  SELECT
    *,
    strftime(played_on, '%m-%d') < coalesce($season_from::VARCHAR, '01-01') AS is_begun_last_year,
    year(played_on) - is_begun_last_year::BIGINT AS first_year
  FROM counted_points($game, $session, $since, $until)
),
totals AS (
  SELECT
    game,
    first_year,
    player,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals,
    count(DISTINCT table_name) AS tables
  FROM in_season
  GROUP BY game, first_year, player
  HAVING count(*) FILTER (cause = 'deal' AND status = 'complete') >= coalesce($min_deals::BIGINT, 0)
),
placed AS (
  SELECT *, rank() OVER (PARTITION BY game, first_year ORDER BY points DESC) AS place FROM totals
)
SELECT
  game,
  CASE WHEN coalesce($season_from::VARCHAR, '01-01') = '01-01' THEN first_year::VARCHAR
    ELSE format('{}/{:02d}', first_year, (first_year + 1) % 100) END AS season,
  place,
  player,
  points,
  deals,
  tables
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY first_year DESC, game, place, player;
