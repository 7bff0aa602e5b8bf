-- What is played and how it ends: contracts by game, how often the declarer won, and what it brought.
-- parameters: player game since until session
--
-- One row for each contract of a game, the most played first. Complete deals with a known result count. With a player
-- named: as declarer.
--
--   game: the game
--   contract: the contract; in Couillon, what the deal was raised to
--   played: number of deals
--   won: deals that the declarer won
--   lost: deals that the declarer lost; a deal may be neither
--   share_won: won of played
--   low: lower bound of its 95 % interval (Wilson)
--   high: upper bound
--   mean_points: what the deal brought the declarer on the average, antes included
--   mean_low: lower bound of its 95 % interval (bootstrap)
--   mean_high: upper bound
WITH counted AS (
  SELECT
    deals.game,
    deals.contract,
    count(*) AS played,
    count(*) FILTER (deals.declarer_won) AS won,
    count(*) FILTER (NOT deals.declarer_won) AS lost,
    avg(deltas[declarer + 1]) AS mean,
    histogram(deltas[declarer + 1]) AS spread
  FROM scored_deals($game, $session, $since, $until) AS deals
  WHERE deals.contract IS NOT NULL AND deals.declarer IS NOT NULL AND ($player::VARCHAR IS NULL OR deals.declarer_player = $player)
  GROUP BY deals.game, deals.contract
),
bounded AS (
  SELECT *, mean_interval(spread) AS bounds FROM counted
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
