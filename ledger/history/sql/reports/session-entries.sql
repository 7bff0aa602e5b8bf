-- The entries of a session's tables and of all sessions, in order, with the digest of the last one of each table.
-- parameters: session
SELECT log_position, stream, version, recorded_by, recorded_at, happened_at, event::VARCHAR AS event, last_digest
FROM entries LEFT JOIN tables ON log_position = last_position
WHERE starts_with(stream, 'session/') OR entries.table_name IN (SELECT table_name FROM tables WHERE session = $session)
ORDER BY log_position;
