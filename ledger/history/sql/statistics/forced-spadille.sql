-- parameters: player {filters(game='quadrille')} seat min_deals by
-- columns: player deals forced share_forced forced_low forced_high decided won share_won low high mean_points mean_low
--   mean_high
WITH seated AS (
  SELECT
    table_name,
    unnest(players) AS player,
    unnest(deltas) AS delta,
    declarer_won,
    generate_subscripts(players, 1) - 1 AS seat,
    contract = 'forced' AND seat = declarer AS is_forced
  FROM scored_deals({filters(game='quadrille')})
),
counted AS (
  SELECT
    player,
    count(*) AS deals,
    count(*) FILTER (is_forced) AS forced,
    count(declarer_won) FILTER (is_forced) AS decided,
    count(*) FILTER (is_forced AND declarer_won) AS won,
    avg(delta) FILTER (is_forced) AS mean,
    amounts_of(CASE WHEN is_forced THEN delta END, table_name, $by) AS amounts
  FROM seated
  WHERE ($player::VARCHAR IS NULL OR player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
  GROUP BY player
  HAVING count(*) >= coalesce($min_deals::BIGINT, 0)
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals('quadrille', 'contract')) AS bounds FROM counted
)
SELECT
  player,
  deals,
  forced,
  round(forced / deals, 3) AS share_forced,
  round(wilson_low(forced, deals), 3) AS forced_low,
  round(wilson_high(forced, deals), 3) AS forced_high,
  decided,
  won,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY forced DESC, player;
