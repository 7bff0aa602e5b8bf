-- parameters: player {filters} by
-- columns: game contract deals recorded mean_cards cards_low cards_high mean_calls calls_low calls_high timed median_minutes
WITH chosen AS (
  SELECT *
  FROM scored_deals({filters})
  WHERE $player::VARCHAR IS NULL OR list_contains(declarer_players, $player)
),
-- Deals imported together, from paper, follow each other at once or have the same moment.
gaps AS (
  SELECT
    table_name,
    deal,
    date_diff('second', started_at, lead(started_at) OVER (PARTITION BY table_name ORDER BY first_position)) AS seconds
  FROM deals
),
counted AS (
  SELECT
    chosen.game,
    chosen.contract,
    count(*) AS deals,
    count(card_count) AS recorded,
    avg(card_count) AS mean_cards,
    amounts_of(card_count, table_name, $by) AS cards,
    avg(call_count) AS mean_calls,
    amounts_of(call_count, table_name, $by) AS calls,
    count(*) FILTER (seconds BETWEEN 1 AND 10800) AS timed,
    median(seconds) FILTER (seconds BETWEEN 1 AND 10800) AS median_seconds
  FROM chosen LEFT JOIN gaps USING (table_name, deal)
  GROUP BY chosen.game, chosen.contract
),
bounded AS (
  SELECT
    *,
    bounds_of(cards, minimum_deals(game, 'cards')) AS cards_bounds,
    bounds_of(calls, minimum_deals(game, 'calls')) AS calls_bounds
  FROM counted
)
SELECT
  game,
  contract,
  deals,
  recorded,
  round(mean_cards, 2) AS mean_cards,
  round(cards_bounds[1], 2) AS cards_low,
  round(cards_bounds[2], 2) AS cards_high,
  round(mean_calls, 2) AS mean_calls,
  round(calls_bounds[1], 2) AS calls_low,
  round(calls_bounds[2], 2) AS calls_high,
  timed,
  round(median_seconds / 60, 1) AS median_minutes
FROM bounded
ORDER BY game, deals DESC, contract;
