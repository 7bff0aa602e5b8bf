-- Functions for statistics, to be used in any question.

-- The complete deals, as far as the filters leave them; a filter that is null leaves all.
CREATE MACRO complete_deals(game_is, session_is, since_day, until_day) AS TABLE
SELECT *
FROM deals
WHERE status = 'complete'
  AND (game_is::VARCHAR IS NULL OR game = game_is::VARCHAR)
  AND (session_is::VARCHAR IS NULL OR session = session_is::VARCHAR)
  AND (since_day::DATE IS NULL OR played_on >= since_day::DATE)
  AND (until_day::DATE IS NULL OR played_on <= until_day::DATE);

-- Those of them that were scored from their outcome.
CREATE MACRO scored_deals(game_is, session_is, since_day, until_day) AS TABLE
SELECT * FROM complete_deals(game_is, session_is, since_day, until_day) WHERE result IS NOT NULL;

-- What changed the totals, as far as the filters leave it.
CREATE MACRO counted_points(game_is, session_is, since_day, until_day) AS TABLE
SELECT *
FROM points
WHERE (game_is::VARCHAR IS NULL OR game = game_is::VARCHAR)
  AND (session_is::VARCHAR IS NULL OR session = session_is::VARCHAR)
  AND (since_day::DATE IS NULL OR played_on >= since_day::DATE)
  AND (until_day::DATE IS NULL OR played_on <= until_day::DATE);

-- One row for each player at each table that the filters leave: the points made there, and the place by them.
-- Equal points share a place.
CREATE MACRO table_placings(game_is, session_is, since_day, until_day) AS TABLE
WITH made AS (
  SELECT
    table_name,
    player,
    min(seat) AS seat,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals
  FROM counted_points(game_is, session_is, since_day, until_day)
  GROUP BY table_name, player
)
SELECT
  table_name,
  tables.session,
  tables.game,
  tables.played_on,
  tables.first_position,
  tables.is_over,
  made.seat,
  made.player,
  made.points,
  made.deals,
  rank() OVER (PARTITION BY table_name ORDER BY made.points DESC) AS place,
  count(*) OVER (PARTITION BY table_name) AS players
FROM made JOIN tables USING (table_name);
