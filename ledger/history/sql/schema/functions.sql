-- Functions for statistics, to be used in any question.

-- The bounds of the 95 % interval of a share after Wilson: `hits` of `trials`. Null without a trial.
-- For 8 of 10: 0.490 and 0.943. Unlike the textbook's p ± 1.96 s it stays within 0 and 1 and is honest about small samples.
-- The rounding of the constants must not take the lower bound of no hits below 0.
CREATE MACRO wilson_low(hits, trials) AS
  CASE WHEN hits = 0 AND trials > 0 THEN 0.0 ELSE
    (hits + 1.920729 - 1.959964 * sqrt(hits * (trials - hits) / nullif(trials, 0)::DOUBLE + 0.960365))
    / nullif(trials, 0) / (1 + 3.841459 / nullif(trials, 0))
  END;

CREATE MACRO wilson_high(hits, trials) AS
  (hits + 1.920729 + 1.959964 * sqrt(hits * (trials - hits) / nullif(trials, 0)::DOUBLE + 0.960365))
  / nullif(trials, 0) / (1 + 3.841459 / nullif(trials, 0));

-- One draw from the normal distribution for each whole number: the same number gives the same draw (Box and Muller, with
-- twice twenty bits of a hash). Half of all statistics' time at 100,000 deals: bits are cut out by & and >>, and nothing is
-- left to be reckoned in DECIMAL.
CREATE MACRO normal_draw(seed) AS
  sqrt(-2 * ln(((hash(seed) & 1048575::UBIGINT)::DOUBLE + 0.5::DOUBLE) / 1048576))
  * cos(2 * pi() * ((hash(seed) >> 20::UBIGINT) & 1048575::UBIGINT)::DOUBLE / 1048576);

-- The bounds of the 95 % interval of a mean, as a list of two: the Bayesian bootstrap (Rubin 1981) with 400 draws.
-- `spread` is histogram(amount). In each draw the n samples of one amount weigh Gamma(n) together (after Wilson and
-- Hilferty); so the cost depends on how many different amounts there are, not on how many deals. No chance is in it:
-- the same amounts always have the same bounds. Null with fewer than two samples, which say nothing of a spread.
CREATE MACRO mean_interval(spread) AS CASE WHEN list_sum(map_values(spread)) > 1 THEN (
  SELECT quantile_cont(mean, [0.025, 0.975])
  FROM (
    SELECT draw, sum(amount * n * root * root * root) / sum(n * root * root * root) AS mean
    FROM (
      SELECT draw, amount, n, greatest(centre + width * normal_draw(draw * 1000003 + amount), 0.01::DOUBLE) AS root
      FROM (
        SELECT amount, n, 1 - 1 / (9 * n) AS centre, 1 / (3 * sqrt(n)) AS width
        FROM (SELECT unnest(map_keys(spread)) AS amount, unnest(map_values(spread)) AS n)
      ), range(400) AS draws(draw)
    )
    GROUP BY draw
  )
) END;

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
