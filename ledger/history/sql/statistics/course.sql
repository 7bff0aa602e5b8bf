-- parameters: player {filters} seat
-- columns: table_name deal cause player gained total
WITH summed AS (
  SELECT *, (sum(amount) OVER so_far)::BIGINT AS total, row_number() OVER so_far AS number
  FROM counted_points({filters}, $seat)
  WHERE $player::VARCHAR IS NULL OR player = $player
  -- The points do not show which of several rulings on one deal came first.
  WINDOW so_far AS (
    PARTITION BY table_name, player ORDER BY deal NULLS LAST, cause DESC, seat, amount ROWS UNBOUNDED PRECEDING
  )
)
SELECT table_name, deal, cause, player, amount AS gained, total
FROM summed
ORDER BY played_on, table_name, deal NULLS LAST, cause DESC, seat, player, number;
