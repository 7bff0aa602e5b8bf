-- What is played and how it ends: contracts by game, how often the declarer won, and what it brought.
-- parameters: player game since until session
--
-- One row for each contract of a game, the most played first. Complete deals with a known result count; a deal may be
-- neither won nor lost. `share_won` is won of played, `low` and `high` bound it with 95 % confidence (Wilson).
-- `mean_points`: what the deal brought the declarer on the average, antes included. With a player named: as declarer.
WITH chosen AS (
  SELECT deals.game, deals.contract, deals.declarer_won, deal_scores.delta
  FROM deals
  JOIN deal_scores
    ON deal_scores.table_name = deals.table_name AND deal_scores.deal = deals.deal AND deal_scores.seat = deals.declarer
  WHERE deals.status = 'complete' AND deals.contract IS NOT NULL AND deals.result IS NOT NULL
    AND ($player::VARCHAR IS NULL OR deals.declarer_player = $player)
    AND ($game::VARCHAR IS NULL OR deals.game = $game)
    AND ($session::VARCHAR IS NULL OR deals.session = $session)
    AND ($since::DATE IS NULL OR deals.played_on >= $since)
    AND ($until::DATE IS NULL OR deals.played_on <= $until)
),
counted AS (
  SELECT
    game,
    contract,
    count(*) AS played,
    count(*) FILTER (declarer_won) AS won,
    count(*) FILTER (NOT declarer_won) AS lost,
    round(avg(delta), 2) AS mean_points
  FROM chosen
  GROUP BY game, contract
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
  mean_points
FROM counted
ORDER BY game, played DESC, contract;
