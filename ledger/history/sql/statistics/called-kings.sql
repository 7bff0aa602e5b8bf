-- parameters: player {filters(game='quadrille')}
-- columns: contract called_card deals alone decided won share_won low high
WITH counted AS (
  SELECT
    contract,
    called_card,
    count(*) AS deals,
    count(*) FILTER (partner IS NULL) AS alone,
    count(declarer_won) AS decided,
    count(*) FILTER (declarer_won) AS won
  FROM scored_deals({filters(game='quadrille')})
  WHERE contract IN ('alliance', 'forced') AND ($player::VARCHAR IS NULL OR declarer_player = $player)
  GROUP BY ALL
)
SELECT
  *,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high
FROM counted
ORDER BY contract, deals DESC, called_card;
