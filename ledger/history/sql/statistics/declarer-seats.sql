-- parameters: player {filters}
-- columns: game contract place_from_dealer played decided won share_won low high
WITH seated AS (
  SELECT game, contract, dealer, len(players) AS seats, declarer_won, unnest(declarers) AS seat, unnest(declarer_players) AS player
  FROM scored_deals({filters})
  WHERE contract IS NOT NULL
),
counted AS (
  SELECT
    game,
    contract,
    (seat - dealer + seats) % seats AS place_from_dealer,
    count(*) AS played,
    count(declarer_won) AS decided,
    count(*) FILTER (declarer_won) AS won
  FROM seated
  WHERE $player::VARCHAR IS NULL OR player = $player
  GROUP BY ALL
)
SELECT
  *,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high
FROM counted
ORDER BY game, contract, place_from_dealer;
