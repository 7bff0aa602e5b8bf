-- parameters: player game since until session option place weekday season season_from seat
-- columns: amount player game played_on table_name deal contract declarer_player result
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
FROM scored_deals($game, $session, $since, $until, $option, $place, $weekday) AS deals JOIN deal_scores USING (table_name, deal)
WHERE ($player::VARCHAR IS NULL OR deal_scores.player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
ORDER BY abs(amount) DESC, amount DESC, deals.played_on, deals.first_position, deal_scores.seat
LIMIT 20;
