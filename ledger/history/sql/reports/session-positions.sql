-- The sum of the last positions of each session's tables; it grows with every entry that is taken in.
-- parameters:
SELECT session, sum(last_position)::BIGINT AS positions FROM tables WHERE session IS NOT NULL GROUP BY session ORDER BY session;
