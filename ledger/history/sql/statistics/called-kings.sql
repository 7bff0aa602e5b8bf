-- parameters: player since until session
-- columns: contract called_card deals alone won share_won low high
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
