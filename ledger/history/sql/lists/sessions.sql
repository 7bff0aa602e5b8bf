-- Every session with its number of tables, the newest first, or only the requested one.
-- parameters: session
-- columns: session title date club place zone closed tables
SELECT
  session,
  title,
  sessions.played_on::VARCHAR AS date,
  club,
  place,
  zone,
  sessions.is_closed AS closed,
  count(table_name) AS tables
FROM sessions LEFT JOIN tables USING (session)
WHERE $session::VARCHAR IS NULL OR session = $session
GROUP BY ALL
ORDER BY date DESC NULLS LAST, session;
