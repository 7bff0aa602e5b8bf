-- Functions for statistics, available to any query.

-- Whether the filters leave a row of this game, session and day.
CREATE MACRO is_left(game, session, played_on, game_is, session_is, since_day, until_day, weekday_is) AS
  (game_is::VARCHAR IS NULL OR game = game_is::VARCHAR)
  AND (session_is::VARCHAR IS NULL OR session = session_is::VARCHAR)
  AND (since_day::DATE IS NULL OR played_on >= since_day::DATE)
  AND (until_day::DATE IS NULL OR played_on <= until_day::DATE)
  AND (
    weekday_is::VARCHAR IS NULL
    OR isodow(played_on) = list_position(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], weekday_is::VARCHAR)
  );

-- The tables with all these options (a JSON object), of sessions at this place; null leaves all.
CREATE MACRO tables_with(option_is, place_is) AS TABLE
SELECT table_name
FROM tables
WHERE (option_is::JSON IS NULL OR json_contains(options, option_is::JSON))
  AND (place_is::VARCHAR IS NULL OR session IN (SELECT session FROM sessions WHERE place = place_is::VARCHAR));

-- All deals that the filters leave, of any status; a filter that is null or left out leaves all. `deltas` are the amounts
-- after all rulings, so every sum, mean and rank follows the rulings. One of the two halves is empty, and the planner knows
-- it: without options and place it looks up no table.
--
-- Without arguments, these macros leave all deals or points, and the program writes the conditions of its filters itself: to
-- plan those of all filters would take three times as long.
CREATE MACRO chosen_deals
() AS TABLE (SELECT * REPLACE (amounts AS deltas) FROM deals),
(game_is, session_is, since_day, until_day, option_is := NULL, place_is := NULL, weekday_is := NULL) AS TABLE (
  SELECT * REPLACE (amounts AS deltas)
  FROM (
    SELECT * FROM deals WHERE option_is::JSON IS NULL AND place_is::VARCHAR IS NULL
    UNION ALL
    SELECT *
    FROM deals SEMI JOIN tables_with(option_is, place_is) USING (table_name)
    WHERE option_is::JSON IS NOT NULL OR place_is::VARCHAR IS NOT NULL
  )
  WHERE is_left(game, session, played_on, game_is, session_is, since_day, until_day, weekday_is)
);

-- Complete deals that the filters leave.
CREATE MACRO complete_deals
() AS TABLE (SELECT * REPLACE (amounts AS deltas) FROM deals WHERE status = 'complete'),
(game_is, session_is, since_day, until_day, option_is := NULL, place_is := NULL, weekday_is := NULL) AS TABLE (
  SELECT *
  FROM chosen_deals(game_is, session_is, since_day, until_day, option_is, place_is, weekday_is)
  WHERE status = 'complete'
);

-- Complete deals that were scored from their outcome.
CREATE MACRO scored_deals
() AS TABLE (SELECT * REPLACE (amounts AS deltas) FROM deals WHERE status = 'complete' AND result IS NOT NULL),
(game_is, session_is, since_day, until_day, option_is := NULL, place_is := NULL, weekday_is := NULL) AS TABLE (
  SELECT *
  FROM complete_deals(game_is, session_is, since_day, until_day, option_is, place_is, weekday_is)
  WHERE result IS NOT NULL
);

-- Changes of totals that the filters leave; `seat_is`: only those of this seat.
CREATE MACRO counted_points
() AS TABLE (SELECT * FROM points),
(game_is, session_is, since_day, until_day, option_is := NULL, place_is := NULL, weekday_is := NULL, seat_is := NULL) AS TABLE (
  SELECT *
  FROM (
    SELECT * FROM points WHERE option_is::JSON IS NULL AND place_is::VARCHAR IS NULL
    UNION ALL
    SELECT *
    FROM points SEMI JOIN tables_with(option_is, place_is) USING (table_name)
    WHERE option_is::JSON IS NOT NULL OR place_is::VARCHAR IS NOT NULL
  )
  WHERE is_left(game, session, played_on, game_is, session_is, since_day, until_day, weekday_is)
    AND (seat_is::INTEGER IS NULL OR seat = seat_is::INTEGER)
);

-- The year in which the season of a day begins; `season_from`: the day of the year on which seasons begin, e.g. 09-01,
-- null for calendar years.
CREATE MACRO season_of(day, season_from) AS
  year(day) - (strftime(day, '%m-%d') < coalesce(season_from::VARCHAR, '01-01'))::BIGINT;

-- The name of that season: 2025, or 2025/26 if it is no calendar year.
CREATE MACRO season_named(first_year, season_from) AS
  CASE WHEN coalesce(season_from::VARCHAR, '01-01') = '01-01' THEN first_year::VARCHAR
    ELSE format('{}/{:02d}', first_year, (first_year + 1) % 100) END;

-- One row for each player at each table that the filters leave: the points made there, and the place by them.
-- Equal points share a place. A table without a complete deal is no match (`is_match`).
CREATE MACRO table_placings(game_is, session_is, since_day, until_day, option_is := NULL, place_is := NULL, weekday_is := NULL) AS TABLE
WITH made AS (
  SELECT
    table_name,
    player,
    min(seat) AS seat,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal' AND status = 'complete') AS deals
  FROM counted_points(game_is, session_is, since_day, until_day, option_is, place_is, weekday_is)
  GROUP BY table_name, player
)
SELECT
  table_name,
  tables.session,
  tables.game,
  tables.played_on,
  tables.first_position,
  tables.is_over,
  tables.is_match,
  made.seat,
  made.player,
  made.points,
  made.deals,
  rank() OVER (PARTITION BY table_name ORDER BY made.points DESC) AS place,
  count(*) OVER (PARTITION BY table_name) AS players
FROM made JOIN tables USING (table_name);

-- The standard deviation of a game's points from the mean of their table, over the whole ledger;
-- null or 0: no points differ yet, so there is no measure.
CREATE MACRO point_spreads() AS TABLE
SELECT game, stddev_samp(off_mean) AS spread
FROM (
  SELECT game, points - avg(points) OVER (PARTITION BY table_name) AS off_mean
  FROM table_placings(NULL, NULL, NULL, NULL)
  WHERE is_over AND is_match
)
GROUP BY game;
