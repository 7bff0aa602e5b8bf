-- parameters: player game since until session
-- columns: table_name deal cause player gained total
SELECT
  table_name,
  deal,
  cause,
  player,
  amount AS gained,
  sum(amount) OVER (
    PARTITION BY table_name, player ORDER BY deal NULLS LAST, cause DESC, seat ROWS UNBOUNDED PRECEDING
  )::BIGINT AS total
FROM counted_points($game, $session, $since, $until)
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY played_on, table_name, deal NULLS LAST, cause DESC, seat;
