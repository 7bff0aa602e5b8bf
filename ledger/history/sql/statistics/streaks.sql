-- parameters: player game since until session option place weekday season season_from seat min_deals
-- columns: player deals longest_winning longest_losing latest
WITH fixed_teams AS (
  SELECT unnest(map_keys(counts)) AS game, unnest(map_values(counts)) AS teams
  FROM (SELECT CAST($teams::JSON AS MAP(VARCHAR, INTEGER)) AS counts)
),
-- `teams` and `winner`: where the outcome names the team that won, if any did.
decided AS (
  SELECT
    players,
    deltas,
    -- the order of the record in one number: 22 bits for the day, 38 for the position, 3 for the seat
    ((played_on - DATE '0001-01-01') * 274877906944 + first_position) * 8 AS place,
    CASE WHEN teams IS NOT NULL AND json_exists(outcome, '$.winner') THEN teams END AS teams,
    CASE WHEN teams IS NOT NULL THEN CAST(outcome ->> 'winner' AS INTEGER) END AS winner
  FROM scored_deals($game, $session, $since, $until, $option, $place, $weekday) LEFT JOIN fixed_teams USING (game)
),
unnested AS (
  SELECT
    unnest(players) AS player,
    unnest(deltas) AS delta,
    generate_subscripts(deltas, 1) - 1 AS seat,
    place,
    teams,
    winner
  FROM decided
),
seated AS (
  SELECT
    player,
    seat,
    place + seat AS place,
    -- 0, 1 and 2 for a deal lost, neither, and won
    CASE
      WHEN teams IS NULL THEN sign(delta) + 1
      WHEN winner IS NULL THEN 1
      WHEN winner = seat % teams THEN 2
      ELSE 0
    END AS came_to
  FROM unnested
),
-- Each player's deals as one text of digits: sorted once, where windows would sort twice.
courses AS (
  SELECT player, count(*) AS deals, array_to_string(list(came_to ORDER BY place), '') AS course
  FROM seated
  WHERE ($player::VARCHAR IS NULL OR player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
  GROUP BY player
  HAVING count(*) >= coalesce($min_deals::BIGINT, 0)
),
runs AS (
  SELECT
    player,
    deals,
    list_max([len(run) for run in string_split(replace(course, '0', '1'), '1')]) AS longest_winning,
    list_max([len(run) for run in string_split(replace(course, '2', '1'), '1')]) AS longest_losing,
    len(course) - len(rtrim(course, '2')) AS latest_winning,
    len(course) - len(rtrim(course, '0')) AS latest_losing
  FROM courses
)
SELECT player, deals, longest_winning, longest_losing, (latest_winning - latest_losing)::BIGINT AS latest
FROM runs
ORDER BY longest_winning DESC, player;
