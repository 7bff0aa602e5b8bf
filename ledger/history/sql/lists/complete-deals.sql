-- The number of complete deals that the same players played at a table on a day, with what filters ask of them.
-- parameters:
-- columns: game session place played_on options players deals
SELECT game, session, place, deals.played_on, options::VARCHAR AS options, players, count(*) AS deals
FROM deals JOIN (SELECT table_name, options FROM tables) USING (table_name)
LEFT JOIN (SELECT session, place FROM sessions) USING (session)
WHERE status = 'complete'
GROUP BY ALL
ORDER BY ALL;
