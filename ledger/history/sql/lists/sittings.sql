-- The tables at which a player sat, or those of a session, the newest first.
-- parameters: player session
-- columns: table session game date closed deals
SELECT
  tables.table_name AS "table",
  session,
  game,
  played_on::VARCHAR AS date,
  is_closed AS closed,
  (SELECT count(*) FROM deals WHERE deals.table_name = tables.table_name AND status = 'complete') AS deals
FROM tables
WHERE
  ($session::VARCHAR IS NULL OR session = $session)
  AND ($player::VARCHAR IS NULL OR table_name IN (SELECT table_name FROM seats WHERE player = $player))
ORDER BY date DESC, first_position DESC;
