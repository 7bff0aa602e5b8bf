-- parameters: player game since until session option place weekday season season_from min_deals
-- columns: place player rating uncertainty low high cautious tables
SELECT table_name, played_on, game, seat, player, place, deals
FROM table_placings($game, $session, $since, $until, $option, $place, $weekday)
WHERE is_over AND is_match
ORDER BY played_on, first_position, seat, player;
