-- The points of each player at each table of a session. `moves`: of each change its deal (null for the closing of the
-- table), its amount, and 1 for the result of a complete deal.
-- parameters: session
-- columns: table_name game is_over is_match player moves
SELECT
  table_name,
  tables.game,
  is_over,
  is_match,
  player,
  list_sort(list([deal, amount, (cause = 'deal' AND status = 'complete')::BIGINT])) AS moves
FROM points JOIN tables USING (table_name)
WHERE points.session = $session
GROUP BY table_name, tables.game, is_over, is_match, tables.played_on, tables.first_position, player
ORDER BY tables.played_on, tables.first_position, player;
