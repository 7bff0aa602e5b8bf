-- parameters: player game since until session
-- columns: game contract place_from_dealer played won share_won low high
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
