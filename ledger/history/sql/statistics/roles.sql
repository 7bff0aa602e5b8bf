-- parameters: player {filters} seat min_deals by
-- columns: player game role deals decided won share_won low high mean_points mean_low mean_high
WITH seated AS (
  SELECT
    table_name,
    game,
    CAST($teams::JSON AS MAP(VARCHAR, INTEGER))[game] AS teams,
    declarers,
    partner,
    declarer_won,
    unnest(players) AS player,
    unnest(deltas) AS delta,
    generate_subscripts(deltas, 1) - 1 AS seat,
    CASE WHEN game = 'ombre' AND len(players) = 4 THEN dealer END AS sits_out  -- OMB-2.6
  FROM scored_deals({filters})
  WHERE len(declarers) > 0
),
in_roles AS (
  SELECT
    *,
    CASE
      WHEN list_contains(declarers, seat) THEN 'declarer'
      WHEN seat = partner OR seat % teams = declarers[1] % teams THEN 'partner'
      ELSE 'defender'
    END AS role,
    CASE WHEN role = 'defender' THEN NOT declarer_won ELSE declarer_won END AS is_won
  FROM seated
  WHERE seat IS DISTINCT FROM sits_out
    AND ($player::VARCHAR IS NULL OR player = $player)
    AND ($seat::INTEGER IS NULL OR seat = $seat)
),
counted AS (
  SELECT
    player,
    game,
    role,
    count(*) AS deals,
    count(is_won) AS decided,
    count(*) FILTER (is_won) AS won,
    avg(delta) AS mean,
    amounts_of(delta, table_name, $by) AS amounts
  FROM in_roles
  GROUP BY player, game, role
  HAVING count(*) >= coalesce($min_deals::BIGINT, 0)
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals(game, role)) AS bounds FROM counted
)
SELECT
  player,
  game,
  role,
  deals,
  decided,
  won,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY player, game, list_position(['declarer', 'partner', 'defender'], role);
