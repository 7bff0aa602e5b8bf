-- The entries of a session's tables and of all sessions, in order.
-- parameters: session
SELECT log_position, stream, version, recorded_by, recorded_at, happened_at, event::VARCHAR AS event
FROM entries
WHERE starts_with(stream, 'session/') OR table_name IN (SELECT table_name FROM tables WHERE session = $session)
ORDER BY log_position;
