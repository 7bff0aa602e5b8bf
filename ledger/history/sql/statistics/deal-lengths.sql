-- How long deals are: cards, tricks and calls, and minutes at the table.
-- parameters: player game since until session
--
-- One row for each contract of a game. Complete deals count. With a player named: deals with that declarer.
--
--   game: the game
--   contract: the contract; null: none was made
--   deals: number of deals
--   mean_cards: cards played in a deal on the average
--   cards_low: lower bound of its 95 % interval (bootstrap)
--   cards_high: upper bound
--   mean_calls: calls in a deal on the average
--   calls_low: lower bound of its 95 % interval (bootstrap)
--   calls_high: upper bound
--   timed: deals of these whose table went on within three hours, so that the time is known
--   median_minutes: from the dealing of such a deal to the next one
WITH chosen AS (
  SELECT *
  FROM scored_deals($game, $session, $since, $until)
  WHERE $player::VARCHAR IS NULL OR declarer_player = $player
),
-- Deals entered at one stroke, from paper, follow each other at once or have one moment.
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
    avg(card_count) AS mean_cards,
    mean_interval(histogram(card_count)) AS cards_bounds,
    avg(call_count) AS mean_calls,
    mean_interval(histogram(call_count)) AS calls_bounds,
    count(*) FILTER (seconds BETWEEN 1 AND 10800) AS timed,
    median(seconds) FILTER (seconds BETWEEN 1 AND 10800) AS median_seconds
  FROM chosen LEFT JOIN gaps USING (table_name, deal)
  GROUP BY chosen.game, chosen.contract
)
SELECT
  game,
  contract,
  deals,
  round(mean_cards, 2) AS mean_cards,
  round(cards_bounds[1], 2) AS cards_low,
  round(cards_bounds[2], 2) AS cards_high,
  round(mean_calls, 2) AS mean_calls,
  round(calls_bounds[1], 2) AS calls_low,
  round(calls_bounds[2], 2) AS calls_high,
  timed,
  round(median_seconds / 60, 1) AS median_minutes
FROM counted
ORDER BY game, deals DESC, contract;
