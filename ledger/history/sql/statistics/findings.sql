-- parameters: player game since until session
-- columns: game code rule severity findings found_in deals players
SELECT
  deals.game,
  findings.code,
  findings.rule,
  findings.severity,
  count(*) AS findings,
  count(DISTINCT (table_name, deal)) AS found_in,
  count(DISTINCT (table_name, deal)) FILTER (deals.status = 'complete') AS deals,
  count(DISTINCT findings.player) AS players
FROM findings JOIN deals USING (table_name, deal)
WHERE ($player::VARCHAR IS NULL OR findings.player = $player)
  AND ($game::VARCHAR IS NULL OR deals.game = $game)
  AND ($session::VARCHAR IS NULL OR deals.session = $session)
  AND ($since::DATE IS NULL OR deals.played_on >= $since)
  AND ($until::DATE IS NULL OR deals.played_on <= $until)
GROUP BY ALL
ORDER BY findings DESC, deals.game, findings.code, findings.rule, findings.severity;
