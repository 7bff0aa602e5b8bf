-- Which suits are trumps, and how the declarer fares with them.
-- parameters: player game since until session
--
-- One row for each suit of a game. Complete deals with trumps count. With a player named: as declarer.
--
--   game: the game
--   trump: the suit: S, H, D or C
--   deals: number of deals
--   share: of all deals of the game that have trumps
--   low: lower bound of its 95 % interval (Wilson)
--   high: upper bound
--   decided: deals of these that a declarer won or lost
--   won: deals that the declarer won
--   share_won: won of decided
--   won_low: lower bound of its 95 % interval (Wilson)
--   won_high: upper bound
WITH counted AS (
  SELECT game, trump, count(*) AS deals, count(declarer_won) AS decided, count(*) FILTER (declarer_won) AS won
  FROM scored_deals($game, $session, $since, $until)
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
