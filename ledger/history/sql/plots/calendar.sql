-- parameters: player game since until session option place weekday season season_from
SELECT played_on, count(DISTINCT table_name) AS tables, count(*) AS deals
FROM complete_deals($game, $session, $since, $until, $option, $place, $weekday)
WHERE $player::VARCHAR IS NULL OR list_contains(players, $player)
GROUP BY played_on
ORDER BY played_on;
