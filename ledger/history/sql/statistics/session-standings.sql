-- parameters: player {filters} seat min_deals
-- columns: game session played_on place player points deals tables
WITH at_tables AS (
  -- so that tables are counted afterwards, in half the time of counting them among all points
  SELECT
    any_value(game) AS game,
    any_value(session) AS session,
    CASE WHEN session IS NULL THEN played_on END AS lone_day,
    player,
    any_value(is_match) AS is_match,
    max(played_on) AS last_day,
    sum(amount) AS points,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals
  FROM counted_points({filters}, $seat)
  JOIN (SELECT table_name, is_match FROM tables) USING (table_name)
  GROUP BY table_name, lone_day, player
),
totals AS (
  SELECT
    game,
    session,
    lone_day,
    player,
    max(last_day) AS player_day,
    sum(points)::BIGINT AS points,
    sum(deals)::BIGINT AS deals,
    count(*) FILTER (is_match) AS tables
  FROM at_tables
  GROUP BY game, session, lone_day, player
  HAVING sum(deals) >= coalesce($min_deals::BIGINT, 0)
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
