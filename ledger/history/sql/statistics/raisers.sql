-- parameters: player {filters} seat min_deals by
-- columns: player game word deals gained share_gained low high mean_points mean_low mean_high
WITH chosen AS (
  SELECT * FROM scored_deals({filters}) WHERE game IN ('couillon', 'kop', 'baska')
),
said AS (
  SELECT table_name, deal, seat, player, word FROM announcements WHERE word IN ('mit', 'kontra', 're')
  UNION
  SELECT table_name, deal, seat, player, call
  FROM calls
  WHERE call IN ('kontra', 're', 'bok', 'slup', 'd5', 'd6', 'd7', 'd8')
),
counted AS (
  SELECT
    said.player,
    chosen.game,
    said.word,
    count(*) AS deals,
    count(*) FILTER (deltas[seat + 1] > 0) AS gained,
    avg(deltas[seat + 1]) AS mean,
    amounts_of(deltas[seat + 1], table_name, $by) AS amounts
  FROM chosen JOIN said USING (table_name, deal)
  WHERE ($player::VARCHAR IS NULL OR said.player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
  GROUP BY ALL
  HAVING count(*) >= coalesce($min_deals::BIGINT, 0)
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals(game, 'contract')) AS bounds FROM counted
)
SELECT
  player,
  game,
  word,
  deals,
  gained,
  round(gained / deals, 3) AS share_gained,
  round(wilson_low(gained, deals), 3) AS low,
  round(wilson_high(gained, deals), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY player, game, deals DESC, word;
