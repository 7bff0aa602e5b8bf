-- parameters: game since until session rules
-- columns: season place player points tables counted wins score decided_by
SELECT table_name, session, game, played_on, player, place, points AS score
FROM table_placings($game, $session, $since, $until)
WHERE is_over
ORDER BY played_on, first_position, place, player;
