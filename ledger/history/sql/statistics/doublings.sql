-- parameters: player {filters} by
-- columns: game step deals decided won share_won low high mean_gain mean_low mean_high
WITH chosen AS (
  SELECT
    *,
    CASE game
      WHEN 'couillon' THEN list_position(['plain', 'mit', 'kontra', 're'], contract) - 1
      ELSE CAST(outcome ->> 'doublings' AS INTEGER)
    END AS step
  FROM scored_deals({filters})
  WHERE game IN ('couillon', 'kop', 'baska') AND ($player::VARCHAR IS NULL OR list_contains(players, $player))
),
counted AS (
  SELECT
    game,
    step,
    count(*) AS deals,
    count(declarer_won) AS decided,
    count(*) FILTER (declarer_won) AS won,
    avg(list_max(deltas)) AS mean,
    amounts_of(list_max(deltas), table_name, $by) AS amounts
  FROM chosen
  GROUP BY game, step
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals(game, 'gain')) AS bounds FROM counted
)
SELECT
  game,
  step,
  deals,
  decided,
  won,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high,
  round(mean, 2) AS mean_gain,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY game, step;
