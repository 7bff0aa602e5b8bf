-- The sessions that were opened or that a table names.
-- parameters:
SELECT session FROM sessions UNION SELECT session FROM tables WHERE session IS NOT NULL ORDER BY session;
