-- Quadrille: who was forced to play by holding Spadille, and how it went.
-- parameters: player since until session
--
-- One row a player. Complete deals with a known result count.
--
--   player: the player's name
--   deals: all deals of Quadrille of the player
--   forced: deals that the player had to play as forced Ombre
--   share_forced: forced of deals
--   forced_low: lower bound of its 95 % interval (Wilson)
--   forced_high: upper bound
--   won: forced deals that were won
--   share_won: won of forced
--   low: lower bound of its 95 % interval (Wilson)
--   high: upper bound
--   mean_points: what a forced deal brought the player on the average
--   mean_low: lower bound of its 95 % interval (bootstrap)
--   mean_high: upper bound
WITH seated AS (
  SELECT
    deal_scores.player,
    deal_scores.delta,
    deals.declarer_won,
    deals.contract = 'forced' AND deals.declarer = deal_scores.seat AS is_forced
  FROM scored_deals('quadrille', $session, $since, $until) AS deals JOIN deal_scores USING (table_name, deal)
  WHERE $player::VARCHAR IS NULL OR deal_scores.player = $player
),
counted AS (
  SELECT
    player,
    count(*) AS deals,
    count(*) FILTER (is_forced) AS forced,
    count(*) FILTER (is_forced AND declarer_won) AS won,
    avg(delta) FILTER (is_forced) AS mean,
    histogram(delta) FILTER (is_forced) AS spread
  FROM seated
  GROUP BY player
),
bounded AS (
  SELECT *, mean_interval(spread) AS bounds FROM counted
)
SELECT
  player,
  deals,
  forced,
  round(forced / deals, 3) AS share_forced,
  round(wilson_low(forced, deals), 3) AS forced_low,
  round(wilson_high(forced, deals), 3) AS forced_high,
  won,
  round(won / nullif(forced, 0), 3) AS share_won,
  round(wilson_low(won, forced), 3) AS low,
  round(wilson_high(won, forced), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY forced DESC, player;
