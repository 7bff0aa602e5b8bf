-- What goes wrong: findings of the audit by irregularity.
-- parameters: player game since until session
--
-- One row for each irregularity of a game, the most frequent first. All deals count, whatever became of them.
--
--   game: the game
--   code: the irregularity in section 11 of the rulebook
--   rule: the rule that it breaks
--   severity: error, warning or info (a rule used)
--   findings: how many
--   deals: deals in which it was found
--   players: players whom it was about
SELECT
  deals.game,
  findings.code,
  findings.rule,
  findings.severity,
  count(*) AS findings,
  count(DISTINCT (table_name, deal)) AS deals,
  count(DISTINCT findings.player) AS players
FROM findings JOIN deals USING (table_name, deal)
WHERE ($player::VARCHAR IS NULL OR findings.player = $player)
  AND ($game::VARCHAR IS NULL OR deals.game = $game)
  AND ($session::VARCHAR IS NULL OR deals.session = $session)
  AND ($since::DATE IS NULL OR deals.played_on >= $since)
  AND ($until::DATE IS NULL OR deals.played_on <= $until)
GROUP BY ALL
ORDER BY findings DESC, deals.game, findings.code, findings.rule, findings.severity;
