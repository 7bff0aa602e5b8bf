-- The number of complete deals that a player played in each game, by day.
-- parameters: player
-- columns: game played_on deals
SELECT game, played_on, count(*) AS deals
FROM points
WHERE player = $player AND cause = 'deal' AND status = 'complete'
GROUP BY ALL
ORDER BY ALL;
