-- The biggest swings: the deals that moved most for one player.
-- parameters: player game since until session
--
-- One row for each seat of a deal, the biggest gains and losses first; twenty of them. Complete deals count.
--
--   amount: what the deal brought the player, antes included
--   player: the player's name
--   game: the game
--   played_on: the day of the deal
--   table_name: the table
--   deal: the deal
--   contract: the contract played
--   declarer_player: who played it
--   result: how it ended
SELECT
  deal_scores.delta AS amount,
  deal_scores.player,
  deals.game,
  deals.played_on,
  table_name,
  deal,
  deals.contract,
  deals.declarer_player,
  deals.result
FROM scored_deals($game, $session, $since, $until) AS deals JOIN deal_scores USING (table_name, deal)
WHERE $player::VARCHAR IS NULL OR deal_scores.player = $player
ORDER BY abs(amount) DESC, amount DESC, deals.first_position, deal_scores.seat
LIMIT 20;
