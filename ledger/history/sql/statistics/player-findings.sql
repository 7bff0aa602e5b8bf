-- parameters: player {filters} seat min_deals
-- columns: player plays errors warnings revokes revokes_per_1000 low high faulty faulty_per_1000 faulty_low faulty_high
WITH chosen AS (
  SELECT table_name, deal, players, play_counts
  FROM chosen_deals({filters})
),
played AS (
  SELECT player, sum(played)::BIGINT AS plays
  FROM (
    SELECT unnest(players) AS player, unnest(play_counts) AS played, generate_subscripts(play_counts, 1) - 1 AS seat
    FROM chosen
  )
  WHERE played > 0 AND ($seat::INTEGER IS NULL OR seat = $seat)
  GROUP BY player
),
at_fault AS (
  SELECT *
  FROM findings SEMI JOIN chosen USING (table_name, deal)
  WHERE player IS NOT NULL AND severity <> 'info' AND ($seat::INTEGER IS NULL OR seat = $seat)
),
-- like the view `plays`, but only of the chosen deals
plays_there AS (
  SELECT
    table_name,
    deal,
    generate_subscripts(play_cards, 1)::INTEGER AS number,
    unnest(play_seats) AS seat,
    unnest(play_versions) AS version
  FROM deal_moves SEMI JOIN at_fault USING (table_name, deal)
),
faulty_plays AS (
  -- A correction may turn one entry into several plays of a seat: its findings count once.
  SELECT table_name, deal, seat, version, min(number) AS play
  FROM plays_there SEMI JOIN at_fault USING (table_name, deal, seat, version)
  GROUP BY ALL
),
faults AS (
  SELECT * FROM at_fault LEFT JOIN faulty_plays USING (table_name, deal, seat, version)
),
found AS (
  SELECT
    player,
    count(*) FILTER (severity = 'error') AS errors,
    count(*) FILTER (severity = 'warning') AS warnings,
    count(DISTINCT (table_name, deal, play)) FILTER (
      play IS NOT NULL AND code IN ('OMB-11.37', 'QUA-11.31', 'COU-11.33', 'COU-11.34', 'KOP-11.44')
    ) AS revokes,
    count(DISTINCT (table_name, deal, play)) FILTER (play IS NOT NULL) AS faulty
  FROM faults
  GROUP BY player
),
listed AS (
  SELECT player
  FROM (SELECT unnest(players) AS player, generate_subscripts(players, 1) - 1 AS seat FROM chosen)
  WHERE $seat::INTEGER IS NULL OR seat = $seat
  GROUP BY player
  HAVING count(*) >= coalesce($min_deals::BIGINT, 0)
),
counted AS (
  SELECT
    player,
    coalesce(plays, 0) AS plays,
    coalesce(errors, 0) AS errors,
    coalesce(warnings, 0) AS warnings,
    coalesce(revokes, 0) AS revokes,
    coalesce(faulty, 0) AS faulty
  FROM played FULL JOIN found USING (player) SEMI JOIN listed USING (player)
  WHERE $player::VARCHAR IS NULL OR player = $player
)
SELECT
  player,
  plays,
  errors,
  warnings,
  revokes,
  round(1000 * revokes / nullif(plays, 0), 2) AS revokes_per_1000,
  round(1000 * wilson_low(revokes, plays), 2) AS low,
  round(1000 * wilson_high(revokes, plays), 2) AS high,
  faulty,
  round(1000 * faulty / nullif(plays, 0), 2) AS faulty_per_1000,
  round(1000 * wilson_low(faulty, plays), 2) AS faulty_low,
  round(1000 * wilson_high(faulty, plays), 2) AS faulty_high
FROM counted
ORDER BY errors DESC, plays DESC, player;
