-- The pool over time, in the games that have one.
-- parameters: game since until session
--
-- One row a deal of Ombre or Quadrille, in the order of play; best with --session.
--
--   played_on: the day
--   game: the game
--   table_name: the table
--   deal: the deal
--   status: complete, open, voided or unscorable
--   pool_before: the pool before the antes of this deal
--   pool_after: the pool after it
SELECT played_on, game, table_name, deal, status, pool_before, pool_after
FROM deals
WHERE game IN ('ombre', 'quadrille')
  AND ($game::VARCHAR IS NULL OR game = $game)
  AND ($session::VARCHAR IS NULL OR session = $session)
  AND ($since::DATE IS NULL OR played_on >= $since)
  AND ($until::DATE IS NULL OR played_on <= $until)
ORDER BY played_on, table_name, deal;
