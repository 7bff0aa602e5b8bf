-- parameters: player game since until session
-- columns: game contract place_from_dealer played won share_won low high
WITH seated AS (
  SELECT game, contract, dealer, len(players) AS seats, declarer_won, unnest(declarers) AS seat, unnest(declarer_players) AS player
  FROM scored_deals($game, $session, $since, $until)
  WHERE contract IS NOT NULL
),
counted AS (
  SELECT
    game,
    contract,
    (seat - dealer + seats) % seats AS place_from_dealer,
    count(*) AS played,
    count(*) FILTER (declarer_won) AS won
  FROM seated
  WHERE $player::VARCHAR IS NULL OR player = $player
  GROUP BY ALL
)
SELECT
  *,
  round(won / played, 3) AS share_won,
  round(wilson_low(won, played), 3) AS low,
  round(wilson_high(won, played), 3) AS high
FROM counted
ORDER BY game, contract, place_from_dealer;
