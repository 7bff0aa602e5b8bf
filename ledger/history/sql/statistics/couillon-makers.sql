-- parameters: player since until session option place weekday season season_from seat min_deals
-- columns: player deals made share_made made_low made_high decided won lost share_won low high circles
WITH chosen AS (
  SELECT * FROM scored_deals('couillon', $session, $since, $until, $option, $place, $weekday)
),
circled AS (
  SELECT DISTINCT table_name, deal FROM score_lines WHERE rule = 'COU-7.16'
),
counted AS (
  SELECT
    deal_scores.player,
    count(*) AS deals,
    count(*) FILTER (chosen.declarer = deal_scores.seat) AS made,
    count(chosen.declarer_won) FILTER (chosen.declarer = deal_scores.seat) AS decided,
    count(*) FILTER (chosen.declarer = deal_scores.seat AND chosen.declarer_won) AS won,
    count(*) FILTER (chosen.declarer = deal_scores.seat AND NOT chosen.declarer_won) AS lost,
    count(*) FILTER (chosen.declarer = deal_scores.seat AND circled.deal IS NOT NULL) AS circles
  FROM chosen
  JOIN deal_scores USING (table_name, deal)
  LEFT JOIN circled USING (table_name, deal)
  WHERE ($player::VARCHAR IS NULL OR deal_scores.player = $player)
    AND ($seat::INTEGER IS NULL OR deal_scores.seat = $seat)
  GROUP BY deal_scores.player
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
