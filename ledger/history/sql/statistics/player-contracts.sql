-- parameters: player {filters} seat min_deals by
-- columns: player game contract called played decided won lost share_won low high mean_points mean_low mean_high
WITH chosen AS (
  SELECT * FROM scored_deals({filters})
),
-- `calls`: the contracts of a game that can be called, among other calls.
vocabulary AS (
  SELECT unnest(map_keys(words)) AS game, unnest(map_values(words)) AS calls
  FROM (SELECT CAST($calls::JSON AS MAP(VARCHAR, VARCHAR[])) AS words)
),
-- From all deals, so that a contract that was called but not played in the chosen ones has a row.
contracts AS (
  SELECT DISTINCT game, contract FROM deals WHERE contract IS NOT NULL
),
called AS (
  SELECT player, game, contract, count(*) AS called
  FROM (
    SELECT DISTINCT calls.player, chosen.game, replace(calls.call, '_favour', '') AS contract, table_name, deal
    FROM calls JOIN chosen USING (table_name, deal)
    WHERE calls.call <> 'pass' AND chosen.contract IS NOT NULL AND ($seat::INTEGER IS NULL OR seat = $seat)
  )
  SEMI JOIN contracts USING (game, contract)
  GROUP BY ALL
),
played AS (
  SELECT
    player,
    game,
    contract,
    count(*) AS played,
    count(declarer_won) AS decided,
    count(call_count) AS recorded,
    count(*) FILTER (declarer_won) AS won,
    count(*) FILTER (NOT declarer_won) AS lost,
    avg(gained) AS mean,
    amounts_of(gained, table_name, $by) AS amounts
  FROM (
    SELECT * EXCLUDE (deltas), deltas[seat + 1] AS gained
    FROM (
      SELECT
        table_name,
        game,
        contract,
        declarer_won,
        call_count,
        deltas,
        unnest(declarers) AS seat,
        unnest(declarer_players) AS player
      FROM chosen
      WHERE contract IS NOT NULL
    )
  )
  WHERE $seat::INTEGER IS NULL OR seat = $seat
  GROUP BY ALL
),
both_sides AS (
  SELECT
    player,
    game,
    contract,
    CASE
      WHEN called.called IS NOT NULL THEN called.called
      WHEN played.recorded > 0 AND list_contains(calls, contract) THEN 0
    END AS called,
    coalesce(played.played, 0) AS played,
    coalesce(played.decided, 0) AS decided,
    coalesce(played.won, 0) AS won,
    coalesce(played.lost, 0) AS lost,
    played.mean,
    bounds_of(played.amounts, minimum_deals(game, CASE WHEN ends_with(contract, '_du') THEN 'du' ELSE 'contract' END)) AS bounds
  FROM called FULL JOIN played USING (player, game, contract)
  LEFT JOIN vocabulary USING (game)
  WHERE ($player::VARCHAR IS NULL OR player = $player) AND coalesce(played.played, 0) >= coalesce($min_deals::BIGINT, 0)
)
SELECT
  player,
  game,
  contract,
  called,
  played,
  decided,
  won,
  lost,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM both_sides
ORDER BY player, game, played DESC, called DESC, contract;
