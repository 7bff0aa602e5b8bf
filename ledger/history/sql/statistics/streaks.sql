-- parameters: player {filters} seat min_deals
-- columns: player game deals longest_winning longest_losing latest
WITH seated AS (
  SELECT
    unnest(players) AS player,
    game,
    generate_subscripts(players, 1) - 1 AS seat,
    -- the order of the record in one number: 22 bits for the day, 38 for the position, 3 for the seat
    ((played_on - DATE '0001-01-01') * 274877906944 + first_position) * 8 + seat AS place,
    -- 0, 1 and 2 for a deal lost, neither, and won
    unnest([CASE WHEN won THEN 2 WHEN won IS NULL THEN 1 ELSE 0 END FOR won IN seats_won]) AS came_to
  FROM scored_deals({filters})
),
-- Each player's deals of a game as one text of digits: sorted once; windows would sort twice.
courses AS (
  SELECT player, game, count(*) AS deals, array_to_string(list(came_to ORDER BY place), '') AS course
  FROM seated
  WHERE ($player::VARCHAR IS NULL OR player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
  GROUP BY player, game
  HAVING count(*) >= coalesce($min_deals::BIGINT, 0)
),
runs AS (
  SELECT
    player,
    game,
    deals,
    list_max([len(run) for run in string_split(replace(course, '0', '1'), '1')]) AS longest_winning,
    list_max([len(run) for run in string_split(replace(course, '2', '1'), '1')]) AS longest_losing,
    len(course) - len(rtrim(course, '2')) AS latest_winning,
    len(course) - len(rtrim(course, '0')) AS latest_losing
  FROM courses
)
SELECT player, game, deals, longest_winning, longest_losing, (latest_winning - latest_losing)::BIGINT AS latest
FROM runs
ORDER BY longest_winning DESC, player, game;
