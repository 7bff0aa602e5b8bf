-- parameters: player {filters} seat
-- columns: amount player game played_on table_name deal contract declarer_player result
WITH seated AS (
  SELECT * EXCLUDE (players, deltas), unnest(players) AS player, unnest(deltas) AS amount, generate_subscripts(players, 1) - 1 AS seat
  FROM scored_deals({filters})
)
SELECT
  amount,
  player,
  game,
  played_on,
  table_name,
  deal,
  contract,
  declarer_player,
  CASE WHEN NOT is_ruled THEN result END AS result
FROM seated
WHERE ($player::VARCHAR IS NULL OR player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
ORDER BY abs(amount) DESC, amount DESC, played_on, first_position, seat
LIMIT 20;
