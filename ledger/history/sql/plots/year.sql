-- parameters: player {filters}
WITH moved AS (
  SELECT *, season_of(played_on, $season_from) AS first_year
  FROM counted_points({filters})
  WHERE player = $player
),
evenings AS (
  SELECT game, first_year, played_on, sum(amount)::BIGINT AS gained
  FROM moved
  WHERE first_year = (SELECT max(first_year) FROM moved)
  GROUP BY ALL
  HAVING count(*) FILTER (cause = 'deal' AND status = 'complete') > 0
),
seasons AS (
  SELECT DISTINCT
    first_year,
    season_named(first_year, $season_from) AS season,
    (first_year || '-' || coalesce($season_from::VARCHAR, '01-01'))::DATE AS first_day,
    (first_year + 1 || '-' || coalesce($season_from::VARCHAR, '01-01'))::DATE - 1 AS last_day
  FROM evenings
)
SELECT
  game,
  season,
  greatest(first_day, $since::DATE) AS first_day,
  least(last_day, $until::DATE) AS last_day,
  count(*) AS evenings,
  arg_max(played_on, (gained, -epoch(played_on))) AS best_day,
  max(gained) AS best_points,
  arg_min(played_on, (gained, epoch(played_on))) AS worst_day,
  min(gained) AS worst_points
FROM evenings JOIN seasons USING (first_year)
GROUP BY game, season, first_day, last_day
ORDER BY game;
