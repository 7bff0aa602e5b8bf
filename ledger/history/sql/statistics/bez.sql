-- parameters: player {filters}
-- columns: game contract losing_side factor deals share low high
WITH bases (contract, base, is_solo) AS (  -- KOP-7.2, less the contracts in which nobody is bez (KOP-7.9)
  VALUES ('normal', 1, false), ('wesele', 1, false), ('cicha', 4, true), ('grand', 5, true), ('zolo', 5, true)
),
-- KOP-7.12: the base, doubled k times, times the factor, times 2 where Baśka's declarers lose (KOP-7.11) is paid, by each
-- to one other, or between one and each of the three (KOP-7.13 to 7.15).
paid AS (
  SELECT *, list_min([abs(delta) FOR delta IN deltas]) AS amount
  FROM scored_deals({filters})
  WHERE game IN ('kop', 'baska') AND NOT is_ruled AND ($player::VARCHAR IS NULL OR list_contains(declarer_players, $player))
),
factors AS (
  SELECT
    paid.game,
    paid.contract,
    CASE WHEN declarer_won THEN 'defenders' ELSE 'declarer' END AS losing_side,
    amount
      // (bases.base << CAST(outcome ->> 'doublings' AS INTEGER))
      // CASE WHEN paid.game = 'baska' AND NOT declarer_won THEN 2 ELSE 1 END AS factor
  FROM paid JOIN bases USING (contract) JOIN tables USING (table_name)
  WHERE amount > 0 AND (NOT is_solo OR coalesce(CAST(tables.options ->> 'bez_in_solo' AS BOOLEAN), true))  -- KOP-7.10
),
counted AS (
  SELECT
    game,
    contract,
    losing_side,
    factor,
    count(*) AS deals,
    sum(count(*)) OVER (PARTITION BY game, contract, losing_side) AS all_deals
  FROM factors
  GROUP BY game, contract, losing_side, factor
)
SELECT
  game,
  contract,
  losing_side,
  factor,
  deals,
  round(deals / all_deals, 3) AS share,
  round(wilson_low(deals, all_deals), 3) AS low,
  round(wilson_high(deals, all_deals), 3) AS high
FROM counted
ORDER BY game, contract, losing_side, factor;
