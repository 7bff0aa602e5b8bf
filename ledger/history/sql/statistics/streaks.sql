-- parameters: player game since until session
-- columns: player deals longest_winning longest_losing latest
WITH fixed_teams AS (
  SELECT unnest(map_keys(counts)) AS game, unnest(map_values(counts)) AS teams
  FROM (SELECT CAST($teams::JSON AS MAP(VARCHAR, INTEGER)) AS counts)
),
decided AS (
  SELECT
    players,
    deltas,
    played_on,
    first_position,
    -- by seat: 1 where the team won that the outcome names, or points were made; -1 where they were lost; else 0
    CASE
      WHEN teams IS NULL OR NOT json_exists(outcome, '$.winner') THEN [sign(delta) FOR delta IN deltas]
      ELSE [
        CASE CAST(outcome ->> 'winner' AS INTEGER) = seat % teams WHEN true THEN 1 WHEN false THEN -1 ELSE 0 END
        FOR seat IN range(len(players))
      ]
    END AS signs
  FROM scored_deals($game, $session, $since, $until) LEFT JOIN fixed_teams USING (game)
),
seated AS (
  SELECT
    unnest(players) AS player,
    unnest(signs) + 1 AS came_to,
    -- the order of the record in one number: 22 bits for the day, 38 for the position, 3 for the seat
    ((played_on - DATE '0001-01-01') * 274877906944 + first_position) * 8 + generate_subscripts(deltas, 1) - 1 AS place
  FROM decided
),
-- Each player's deals as one text of digits: sorted once, where windows would sort twice.
courses AS (
  SELECT player, count(*) AS deals, array_to_string(list(came_to ORDER BY place), '') AS course
  FROM seated
  WHERE $player::VARCHAR IS NULL OR player = $player
  GROUP BY player
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
