-- parameters: player {filters} min_deals
-- columns: place player rating uncertainty low high cautious tables
SELECT table_name, played_on, game, seat, player, place, deals
FROM table_placings({filters})
WHERE is_over AND is_match
ORDER BY played_on, first_position, seat, player;
