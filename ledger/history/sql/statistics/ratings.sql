-- parameters: player game since until session min_deals
-- columns: place player rating uncertainty low high cautious tables
SELECT table_name, played_on, game, seat, player, place, deals
FROM table_placings($game, $session, $since, $until)
WHERE is_over
ORDER BY played_on, first_position, seat, player;
