-- The tables with a dispute that no ruling names, the oldest first.
-- parameters:
-- columns: table
SELECT table_name AS "table" FROM disputes
WHERE ruling_version IS NULL
GROUP BY table_name
ORDER BY min(rowid);
