-- parameters: player {filters(game='couillon')} seat min_deals
-- columns: player deals made share_made made_low made_high decided won lost share_won low high circles
WITH seated AS (
  SELECT
    table_name,
    deal,
    unnest(players) AS player,
    generate_subscripts(players, 1) - 1 AS seat,
    seat = declarer AS is_maker,
    declarer_won
  FROM scored_deals({filters(game='couillon')})
),
-- by a rule of the game (COU-7.16) or by a ruling (COU-10.3)
circled AS (
  SELECT DISTINCT table_name, deal, true AS is_circled FROM score_lines WHERE code IN ('circled', 'extra_bar')
),
counted AS (
  SELECT
    player,
    count(*) AS deals,
    count(*) FILTER (is_maker) AS made,
    count(declarer_won) FILTER (is_maker) AS decided,
    count(*) FILTER (is_maker AND declarer_won) AS won,
    count(*) FILTER (is_maker AND NOT declarer_won) AS lost,
    count(*) FILTER (is_maker AND NOT declarer_won AND is_circled) AS circles
  FROM seated LEFT JOIN circled USING (table_name, deal)
  WHERE ($player::VARCHAR IS NULL OR player = $player) AND ($seat::INTEGER IS NULL OR seat = $seat)
  GROUP BY player
  HAVING count(*) >= coalesce($min_deals::BIGINT, 0)
)
SELECT
  player,
  deals,
  made,
  round(made / deals, 3) AS share_made,
  round(wilson_low(made, deals), 3) AS made_low,
  round(wilson_high(made, deals), 3) AS made_high,
  decided,
  won,
  lost,
  round(won / nullif(decided, 0), 3) AS share_won,
  round(wilson_low(won, decided), 3) AS low,
  round(wilson_high(won, decided), 3) AS high,
  circles
FROM counted
ORDER BY made DESC, player;
