-- The deals of a player in the order of play with what each brought, rulings included; `deal` is null for the closing
-- of a table.
-- parameters: player {filters}
-- columns: played_on table_name game deal status contract declarer_player result amount
WITH moved AS (
  SELECT table_name, game, played_on, deal, sum(amount)::BIGINT AS amount
  FROM counted_points({filters})
  WHERE player = $player
  GROUP BY ALL
)
SELECT
  moved.played_on,
  moved.table_name,
  moved.game,
  moved.deal,
  deals.status,
  deals.contract,
  deals.declarer_player,
  deals.result,
  moved.amount
FROM moved
LEFT JOIN deals ON deals.table_name = moved.table_name AND deals.deal = moved.deal
JOIN tables ON tables.table_name = moved.table_name
ORDER BY moved.played_on, tables.first_position, moved.deal NULLS LAST;
