-- parameters: player game since until session option place weekday season season_from
-- columns: game contract losing_side factor deals share low high
WITH bases (contract, base, is_solo) AS (  -- KOP-7.2, less the contracts in which nobody is bez (KOP-7.9)
  VALUES ('normal', 1, false), ('wesele', 1, false), ('cicha', 4, true), ('grand', 5, true), ('zolo', 5, true)
),
-- KOP-7.12: the base, doubled k times, times the factor, times 2 where Baśka's declarers lose (KOP-7.11) is paid.
paid AS (
  SELECT table_name, deal, max(amount) AS amount FROM score_lines WHERE rule IN ('KOP-7.13', 'KOP-7.15') GROUP BY ALL
),
factors AS (
  SELECT
    deals.game,
    deals.contract,
    CASE WHEN declarer_won THEN 'defenders' ELSE 'declarer' END AS losing_side,
    paid.amount
      // (bases.base << CAST(outcome ->> 'doublings' AS INTEGER))
      // CASE WHEN deals.game = 'baska' AND NOT declarer_won THEN 2 ELSE 1 END AS factor
  FROM scored_deals($game, $session, $since, $until, $option, $place, $weekday) AS deals
  JOIN paid USING (table_name, deal)
  JOIN bases USING (contract)
  JOIN tables USING (table_name)
  WHERE (NOT is_solo OR coalesce(CAST(tables.options ->> 'bez_in_solo' AS BOOLEAN), true))  -- KOP-7.10
    AND deals.game IN ('kop', 'baska') AND ($player::VARCHAR IS NULL OR list_contains(declarer_players, $player))
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
