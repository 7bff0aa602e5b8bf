-- parameters: player game since until session by
-- columns: game contract played won lost share_won low high mean_points mean_low mean_high
WITH counted AS (
  SELECT
    deals.game,
    deals.contract,
    count(*) AS played,
    count(*) FILTER (deals.declarer_won) AS won,
    count(*) FILTER (NOT deals.declarer_won) AS lost,
    avg(deltas[declarer + 1]) AS mean,
    amounts_of(deltas[declarer + 1], table_name, $by) AS amounts
  FROM scored_deals($game, $session, $since, $until) AS deals
  WHERE deals.contract IS NOT NULL AND deals.declarer IS NOT NULL AND ($player::VARCHAR IS NULL OR deals.declarer_player = $player)
  GROUP BY deals.game, deals.contract
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals(game, 'points')) AS bounds FROM counted
)
SELECT
  game,
  contract,
  played,
  won,
  lost,
  round(won / played, 3) AS share_won,
  round(wilson_low(won, played), 3) AS low,
  round(wilson_high(won, played), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY game, played DESC, contract;
