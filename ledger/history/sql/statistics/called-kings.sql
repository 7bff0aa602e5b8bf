-- Quadrille: which kings and queens are called, and how it goes.
-- parameters: player since until session
--
-- One row for each contract and card called. Complete deals with a known result count. With a player named: as Ombre.
--
--   contract: alliance or forced
--   called_card: the card; null: none could be called
--   deals: number of deals
--   alone: deals in which the Ombre was alone all the same
--   won: deals that the Ombre's side won
--   share_won: won of deals
--   low: lower bound of its 95 % interval (Wilson)
--   high: upper bound
WITH counted AS (
  SELECT
    contract,
    called_card,
    count(*) AS deals,
    count(*) FILTER (partner IS NULL) AS alone,
    count(*) FILTER (declarer_won) AS won
  FROM scored_deals('quadrille', $session, $since, $until)
  WHERE contract IN ('alliance', 'forced') AND ($player::VARCHAR IS NULL OR declarer_player = $player)
  GROUP BY ALL
)
SELECT
  *,
  round(won / deals, 3) AS share_won,
  round(wilson_low(won, deals), 3) AS low,
  round(wilson_high(won, deals), 3) AS high
FROM counted
ORDER BY contract, deals DESC, called_card;
