-- All seats that were ever taken.
-- parameters:
SELECT DISTINCT seat FROM seats ORDER BY seat;
