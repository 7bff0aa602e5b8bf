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
    deals.game,
    left(tricks.cards, 2) AS card,
    tricks.winner IS NOT DISTINCT FROM tricks.leader AS is_won,
    deal_scores.delta
  FROM scored_deals($game, $session, $since, $until) AS deals
  JOIN tricks USING (table_name, deal)
  JOIN deal_scores
    ON deal_scores.table_name = deals.table_name AND deal_scores.deal = deals.deal AND deal_scores.seat = tricks.leader
  WHERE tricks.trick = 1 AND ($player::VARCHAR IS NULL OR tricks.leader_player = $player)
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
