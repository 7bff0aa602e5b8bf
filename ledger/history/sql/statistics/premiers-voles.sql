-- parameters: player {filters}
-- columns: game contract deals premiers share_premiers low high voles voles_made share_made made_low made_high
WITH counted AS (
  SELECT
    game,
    contract,
    count(*) AS deals,
    count(*) FILTER (coalesce(outcome ->> 'primeras', outcome ->> 'premiers') = 'true') AS premiers,
    count(*) FILTER (result IN ('SACADA_VOLE', 'SACADA_VOLE_FAILED') OR outcome ->> 'vole' IS NOT NULL) AS voles,
    count(*) FILTER (result = 'SACADA_VOLE' OR outcome ->> 'vole' = 'made') AS voles_made
  FROM scored_deals({filters})
  WHERE game IN ('ombre', 'quadrille') AND contract IS NOT NULL AND NOT is_ruled
    AND ($player::VARCHAR IS NULL OR declarer_player = $player)
  GROUP BY game, contract
)
SELECT
  game,
  contract,
  deals,
  premiers,
  round(premiers / deals, 3) AS share_premiers,
  round(wilson_low(premiers, deals), 3) AS low,
  round(wilson_high(premiers, deals), 3) AS high,
  voles,
  voles_made,
  round(voles_made / nullif(voles, 0), 3) AS share_made,
  round(wilson_low(voles_made, voles), 3) AS made_low,
  round(wilson_high(voles_made, voles), 3) AS made_high
FROM counted
ORDER BY game, deals DESC, contract;
