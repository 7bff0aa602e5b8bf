-- Who errs how often: revokes and other findings per player, and per 1,000 cards played.
-- parameters: player game since until session
--
-- One row a player who played a card or was found at fault. All deals count, whatever became of them.
--
--   player: the player's name
--   plays: cards that the player played
--   errors: findings of severity error about the player
--   warnings: findings of severity warning
--   revokes: cards with which the player revoked
--   revokes_per_1000: revokes per 1,000 plays
--   low: lower bound of its 95 % interval (Wilson)
--   high: upper bound
--   faulty: cards whose play broke any rule
--   faulty_per_1000: faulty cards per 1,000 plays
--   faulty_low: lower bound of its 95 % interval (Wilson)
--   faulty_high: upper bound
WITH chosen AS (
  SELECT table_name, deal
  FROM deals
  WHERE ($game::VARCHAR IS NULL OR game = $game)
    AND ($session::VARCHAR IS NULL OR session = $session)
    AND ($since::DATE IS NULL OR played_on >= $since)
    AND ($until::DATE IS NULL OR played_on <= $until)
),
played AS (
  SELECT player, count(*) AS plays FROM plays SEMI JOIN chosen USING (table_name, deal) GROUP BY player
),
faults AS (
  SELECT findings.*, plays.number AS play
  FROM findings SEMI JOIN chosen USING (table_name, deal)
  -- A correction may read one entry as several plays of a seat: what is found of it counts once.
  LEFT JOIN (SELECT table_name, deal, seat, version, min(number) AS number FROM plays GROUP BY ALL) AS plays
    USING (table_name, deal, seat, version)
  WHERE findings.player IS NOT NULL AND findings.severity <> 'info'
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
counted AS (
  SELECT
    player,
    coalesce(plays, 0) AS plays,
    coalesce(errors, 0) AS errors,
    coalesce(warnings, 0) AS warnings,
    coalesce(revokes, 0) AS revokes,
    coalesce(faulty, 0) AS faulty
  FROM played FULL JOIN found USING (player)
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
