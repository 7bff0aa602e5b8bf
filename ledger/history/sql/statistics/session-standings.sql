-- parameters: player game since until session option place weekday season season_from min_deals
-- columns: game session played_on place player points deals tables
WITH totals AS (
  SELECT
    game,
    session,
    CASE WHEN session IS NULL THEN played_on END AS lone_day,
    player,
    max(played_on) AS player_day,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals,
    count(DISTINCT table_name) AS tables
  FROM counted_points($game, $session, $since, $until, $option, $place, $weekday)
  GROUP BY game, session, lone_day, player
  HAVING count(*) FILTER (cause = 'deal' AND status = 'complete') >= coalesce($min_deals::BIGINT, 0)
),
placed AS (
  SELECT
    game,
    session,
    max(player_day) OVER (PARTITION BY session, lone_day) AS played_on,
    rank() OVER (PARTITION BY game, session, lone_day ORDER BY points DESC) AS place,
    player,
    points,
    deals,
    tables
  FROM totals
)
SELECT *
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY played_on DESC, session NULLS LAST, game, place, player;
