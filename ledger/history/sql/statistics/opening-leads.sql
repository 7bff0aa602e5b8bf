-- Which cards are led to the first trick, and what becomes of them.
-- parameters: player game since until session
--
-- One row for each card led in a game, the most frequent first. Complete deals count. With a player named: as leader.
--
--   game: the game
--   card: the card led
--   led: number of deals
--   share: of all opening leads of the game
--   low: lower bound of its 95 % interval (Wilson)
--   high: upper bound
--   won_trick: leads that won the first trick
--   share_won: of led
--   won_low: lower bound of its 95 % interval (Wilson)
--   won_high: upper bound
--   mean_points: what the deal brought the leader on the average
--   mean_low: lower bound of its 95 % interval (bootstrap)
--   mean_high: upper bound
WITH leads AS (
  SELECT
    game,
    opening_lead AS card,
    opening_winner IS NOT DISTINCT FROM opening_leader AS is_won,
    deltas[opening_leader + 1] AS delta
  FROM scored_deals($game, $session, $since, $until)
  WHERE opening_lead IS NOT NULL AND ($player::VARCHAR IS NULL OR players[opening_leader + 1] = $player)
),
counted AS (
  SELECT
    game, card, count(*) AS led, count(*) FILTER (is_won) AS won_trick, avg(delta) AS mean, histogram(delta) AS spread
  FROM leads
  GROUP BY game, card
),
bounded AS (
  SELECT *, sum(led) OVER (PARTITION BY game) AS all_leads, mean_interval(spread) AS bounds FROM counted
)
SELECT
  game,
  card,
  led,
  round(led / all_leads, 3) AS share,
  round(wilson_low(led, all_leads), 3) AS low,
  round(wilson_high(led, all_leads), 3) AS high,
  won_trick,
  round(won_trick / led, 3) AS share_won,
  round(wilson_low(won_trick, led), 3) AS won_low,
  round(wilson_high(won_trick, led), 3) AS won_high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY game, led DESC, card;
