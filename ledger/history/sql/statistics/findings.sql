-- parameters: player {filters}
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
FROM findings JOIN chosen_deals({filters}) AS deals USING (table_name, deal)
WHERE $player::VARCHAR IS NULL OR findings.player = $player
GROUP BY ALL
ORDER BY findings DESC, deals.game, findings.code, findings.rule, findings.severity;
