-- parameters: game since until session option place weekday season season_from
-- columns: played_on game table_name deal status pool_before pool_after
SELECT played_on, game, table_name, deal, status, pool_before, pool_after
FROM chosen_deals($game, $session, $since, $until, $option, $place, $weekday)
WHERE game IN ('ombre', 'quadrille')
ORDER BY played_on, table_name, deal;
