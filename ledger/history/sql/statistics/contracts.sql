-- parameters: player {filters} by
-- columns: game contract played declared decided won lost share_won low high mean_points mean_low mean_high
WITH chosen AS (
  SELECT
    table_name, game, contract, declarer_won, len(declarers) AS sides, list_sum([deltas[seat + 1] FOR seat IN declarers])::BIGINT AS gained
  FROM scored_deals({filters})
  WHERE contract IS NOT NULL
    AND ($player::VARCHAR IS NULL OR list_contains(declarer_players, $player))
),
counted AS (
  SELECT
    game,
    contract,
    count(*) AS played,
    count(sides) AS declared,
    count(declarer_won) AS decided,
    count(*) FILTER (declarer_won) AS won,
    count(*) FILTER (NOT declarer_won) AS lost,
    avg(gained / sides) AS mean,
    amounts_of(gained / sides, table_name, $by) AS amounts
  FROM chosen
  GROUP BY game, contract
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals(game, CASE WHEN ends_with(contract, '_du') THEN 'du' ELSE 'contract' END)) AS bounds FROM counted
)
SELECT
  game,
  contract,
  played,
  declared,
  decided,
  won,
  lost,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY game, played DESC, contract;
