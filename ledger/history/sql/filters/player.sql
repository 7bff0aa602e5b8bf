-- All recorded players, by name.
-- parameters:
SELECT player FROM players ORDER BY player;
