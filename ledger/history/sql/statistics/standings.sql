-- Who stands where: each player's points over all tables, rulings and closings included.
-- parameters: player game since until session
--
-- One row a player, best first; equal points share a place (1, 2, 2, 4). `deals`: complete deals at whose table the
-- player sat, also when sitting out. With a player named, that player's row alone, with the place among all.
WITH chosen AS (
  SELECT player, table_name, points.session, cause, amount, coalesce(deals.status = 'complete', false) AS is_counted
  FROM points LEFT JOIN deals USING (table_name, deal)
  WHERE ($game::VARCHAR IS NULL OR points.game = $game)
    AND ($session::VARCHAR IS NULL OR points.session = $session)
    AND ($since::DATE IS NULL OR points.played_on >= $since)
    AND ($until::DATE IS NULL OR points.played_on <= $until)
),
totals AS (
  SELECT
    player,
    sum(amount)::BIGINT AS points,
    count(*) FILTER (cause = 'deal' AND is_counted) AS deals,
    count(DISTINCT table_name) AS tables,
    count(DISTINCT session) AS sessions
  FROM chosen
  GROUP BY player
),
placed AS (
  SELECT rank() OVER (ORDER BY points DESC) AS place, player, points, deals, tables, sessions
  FROM totals
)
SELECT place, player, points, deals, tables, sessions, round(points / nullif(deals, 0), 2) AS points_per_deal
FROM placed
WHERE $player::VARCHAR IS NULL OR player = $player
ORDER BY place, player;
