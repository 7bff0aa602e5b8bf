-- The places at which sessions were held.
-- parameters:
SELECT DISTINCT place FROM sessions WHERE place IS NOT NULL ORDER BY place;
