-- Every session with how many tables it has, the newest first, or the one that is asked for.
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
