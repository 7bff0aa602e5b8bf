-- parameters: player {filters} seat min_deals by
-- columns: game player partner_player deals decided won lost share_won low high mean_points mean_low mean_high
WITH paired AS (
  SELECT
    table_name,
    game,
    CAST($teams::JSON AS MAP(VARCHAR, INTEGER))[game] AS teams,
    declarer_won,
    seats_won,
    players,
    deltas,
    unnest(
      CASE
        WHEN teams IS NOT NULL THEN
          flatten([
            [[seat, other] for other in range(seat + teams, len(players), teams)] for seat in range(len(players))
          ])
        WHEN len(declarers) = 2 THEN [declarers]
        WHEN partner IS NOT NULL THEN [[declarer, partner]]
      END
    ) AS pair
  FROM scored_deals({filters})
),
seated AS (
  SELECT
    table_name,
    game,
    pair[1] AS seat,
    pair[2] AS other_seat,
    players[pair[1] + 1] AS one,
    players[pair[2] + 1] AS other,
    CASE WHEN teams IS NULL THEN declarer_won ELSE seats_won[pair[1] + 1] END AS is_won,
    deltas[pair[1] + 1] + deltas[pair[2] + 1] AS both_gained
  FROM paired
),
named AS (
  SELECT
    table_name,
    game,
    CASE WHEN $player::VARCHAR IS NULL THEN least(one, other) WHEN one = $player THEN $player ELSE other END AS player,
    CASE WHEN one = player THEN other ELSE one END AS partner_player,
    CASE WHEN one = player THEN seat ELSE other_seat END AS player_seat,
    is_won,
    both_gained
  FROM seated
),
counted AS (
  SELECT
    game,
    player,
    partner_player,
    count(*) AS deals,
    count(is_won) AS decided,
    count(*) FILTER (is_won) AS won,
    count(*) FILTER (NOT is_won) AS lost,
    avg(both_gained) / 2 AS mean,
    amounts_of(both_gained / 2, table_name, $by) AS amounts
  FROM named
  WHERE player <> partner_player
    AND ($player::VARCHAR IS NULL OR player = $player)
    AND ($seat::INTEGER IS NULL OR player_seat = $seat)
  GROUP BY game, player, partner_player
  HAVING count(*) >= coalesce($min_deals::BIGINT, 0)
),
bounded AS (
  SELECT *, bounds_of(amounts, minimum_deals(game, 'partner')) AS bounds FROM counted
)
SELECT
  game,
  player,
  partner_player,
  deals,
  decided,
  won,
  lost,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY game, deals DESC, player, partner_player;
