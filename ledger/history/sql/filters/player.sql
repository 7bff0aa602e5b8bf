-- The players of the record, by name.
-- parameters:
SELECT player FROM players ORDER BY player;
