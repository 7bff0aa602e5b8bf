-- parameters: game since until session
-- columns: played_on game table_name deal status pool_before pool_after
SELECT played_on, game, table_name, deal, status, pool_before, pool_after
FROM deals
WHERE game IN ('ombre', 'quadrille')
  AND ($game::VARCHAR IS NULL OR game = $game)
  AND ($session::VARCHAR IS NULL OR session = $session)
  AND ($since::DATE IS NULL OR played_on >= $since)
  AND ($until::DATE IS NULL OR played_on <= $until)
ORDER BY played_on, table_name, deal;
