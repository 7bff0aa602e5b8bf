-- parameters: player {filters}
-- columns: game trump deals share low high decided won share_won won_low won_high
WITH counted AS (
  SELECT game, trump, count(*) AS deals, count(declarer_won) AS decided, count(*) FILTER (declarer_won) AS won
  FROM scored_deals({filters})
  WHERE trump IS NOT NULL AND ($player::VARCHAR IS NULL OR declarer_player = $player)
  GROUP BY game, trump
),
shared AS (
  SELECT *, sum(deals) OVER (PARTITION BY game) AS all_deals FROM counted
)
SELECT
  game,
  trump,
  deals,
  round(deals / all_deals, 3) AS share,
  round(wilson_low(deals, all_deals), 3) AS low,
  round(wilson_high(deals, all_deals), 3) AS high,
  decided,
  won,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS won_low,
  round(wilson_high(won, decided), 3) AS won_high
FROM shared
ORDER BY game, deals DESC, trump;
