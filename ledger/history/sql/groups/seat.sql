-- The seats at which anybody sat.
-- parameters:
SELECT DISTINCT seat FROM seats ORDER BY seat;
