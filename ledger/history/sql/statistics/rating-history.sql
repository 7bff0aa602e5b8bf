-- parameters: player {filters} min_deals
-- columns: player number played_on table_name game place rating uncertainty low high
SELECT table_name, played_on, game, seat, player, place, deals
FROM table_placings({filters})
WHERE is_over AND is_match
ORDER BY played_on, first_position, seat, player;
