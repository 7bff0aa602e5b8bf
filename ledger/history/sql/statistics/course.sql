-- How the tables went, deal after deal; best with --session.
-- parameters: player game since until session
--
-- One row for each change of a player's total at a table, in the order of the deals, the closing last.
--
--   table_name: the table
--   deal: the deal; null for the closing
--   cause: deal, adjust (a ruling) or closing
--   player: the player's name
--   gained: by how much the total changed
--   total: the player's points at this table afterwards
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
