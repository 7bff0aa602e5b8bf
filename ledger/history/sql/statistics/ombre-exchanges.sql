-- parameters: player {filters(game='ombre')} by
-- columns: contract exchanged deals decided won share_won low high mean_points mean_low mean_high
WITH counted AS (
  SELECT
    deals.contract,
    exchanges.card_count AS exchanged,
    count(*) AS deals,
    count(deals.declarer_won) AS decided,
    count(*) FILTER (deals.declarer_won) AS won,
    avg(deltas[declarer + 1]) AS mean,
    amounts_of(deltas[declarer + 1], deals.table_name, $by) AS amounts
  FROM scored_deals({filters(game='ombre')}) AS deals
  JOIN (FROM exchanges ANTI JOIN (FROM findings WHERE code = 'OMB-11.24') USING (table_name, version)) AS exchanges  -- the others are void
    ON exchanges.table_name = deals.table_name AND exchanges.deal = deals.deal AND exchanges.seat = deals.declarer
  WHERE $player::VARCHAR IS NULL OR deals.declarer_player = $player
  GROUP BY ALL
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals('ombre', 'contract')) AS bounds FROM counted
)
SELECT
  contract,
  exchanged,
  deals,
  decided,
  won,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY contract, exchanged;
