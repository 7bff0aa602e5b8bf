-- parameters: player {filters}
WITH last_deals AS (
  SELECT table_name, max(deal) AS last_deal FROM points GROUP BY table_name
),
chosen AS (
  SELECT
    points.game,
    points.player,
    points.played_on,
    tables.first_position,
    coalesce(points.deal, last_deals.last_deal, 0) AS deal,
    points.cause = 'deal' AND points.status = 'complete' AS is_deal,
    points.amount
  FROM counted_points({filters}) AS points
  JOIN tables USING (table_name)
  JOIN last_deals USING (table_name)
  WHERE $player::VARCHAR IS NULL OR points.player = $player
),
moved AS (
  SELECT game, player, played_on, first_position, deal, sum(is_deal::INTEGER) AS deals, sum(amount) AS amount
  FROM chosen
  GROUP BY ALL
),
-- Amounts of an incomplete deal count at the complete one before it.
added AS (
  SELECT
    game,
    player,
    played_on,
    (sum(deals) OVER so_far)::BIGINT AS number,
    (sum(amount) OVER so_far)::BIGINT AS points,
    lead(deals) OVER so_far AS next_deals,
    (sum(deals) OVER (so_far ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING))::BIGINT AS deals
  FROM moved
  WINDOW so_far AS (PARTITION BY game, player ORDER BY played_on, first_position, deal)
),
numbered AS (
  SELECT * FROM added WHERE next_deals IS NULL OR next_deals > 0
),
-- A line of more than 200 points keeps the lowest and the highest one of each of 99 stretches: plots/lines.py.
ranked AS (
  SELECT
    *,
    row_number() OVER (PARTITION BY game, player, stretch ORDER BY points, number) AS from_lowest,
    row_number() OVER (PARTITION BY game, player, stretch ORDER BY points DESC, number) AS from_highest
  FROM (SELECT *, (number - 1) // (1 + (deals - 1) // 99) AS stretch FROM numbered WHERE deals > 200)
)
SELECT game, player, number, played_on, points FROM numbered WHERE deals <= 200
UNION ALL
SELECT game, player, number, played_on, points
FROM ranked
WHERE number IN (1, deals) OR 1 IN (from_lowest, from_highest)
ORDER BY game, player, number;
