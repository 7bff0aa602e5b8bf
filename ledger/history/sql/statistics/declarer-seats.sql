-- Where declarers sit: their success by contract and by place in the order after the dealer.
-- parameters: player game since until session
--
-- One row for each contract and place of a game. Complete deals with a known result count. With a player named: as
-- declarer.
--
--   game: the game
--   contract: the contract
--   place_from_dealer: 1 plays first, after the dealer; 0 is the dealer
--   played: number of deals
--   won: deals that the declarer won
--   share_won: won of played
--   low: lower bound of its 95 % interval (Wilson)
--   high: upper bound
WITH counted AS (
  SELECT
    deals.game,
    deals.contract,
    (deals.declarer - deals.dealer + tables.seat_count) % tables.seat_count AS place_from_dealer,
    count(*) AS played,
    count(*) FILTER (deals.declarer_won) AS won
  FROM scored_deals($game, $session, $since, $until) AS deals JOIN tables USING (table_name)
  WHERE deals.declarer IS NOT NULL AND deals.contract IS NOT NULL
    AND ($player::VARCHAR IS NULL OR deals.declarer_player = $player)
  GROUP BY ALL
)
SELECT
  *,
  round(won / played, 3) AS share_won,
  round(wilson_low(won, played), 3) AS low,
  round(wilson_high(won, played), 3) AS high
FROM counted
ORDER BY game, contract, place_from_dealer;
