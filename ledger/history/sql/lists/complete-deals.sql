-- The number of complete deals that the same players played at a table, with what filters ask of them.
-- parameters:
-- columns: game session place played_on options players deals
WITH played AS (
  SELECT table_name, players, count(*) AS deals FROM deals WHERE status = 'complete' GROUP BY ALL
)
SELECT game, session, place, tables.played_on, options::VARCHAR AS options, players, deals
FROM played
JOIN tables USING (table_name)
LEFT JOIN (SELECT session, place FROM sessions) USING (session)
ORDER BY ALL;
