-- parameters: player {filters}
SELECT played_on, count(DISTINCT table_name) AS tables, count(*) AS deals
FROM complete_deals({filters})
WHERE $player::VARCHAR IS NULL OR list_contains(players, $player)
GROUP BY played_on
ORDER BY played_on;
