-- The newest 20 places where each rule was broken in a deal that is over, with the number of all.
-- parameters:
-- columns: rule table_name deal version played_on count
SELECT rule, table_name, deal, version, played_on::VARCHAR AS played_on, count
FROM (
  SELECT
    findings.rule,
    findings.table_name,
    findings.deal,
    findings.version,
    deals.played_on,
    count(*) OVER (PARTITION BY findings.rule) AS count,
    row_number() OVER (
      PARTITION BY findings.rule
      ORDER BY deals.played_on DESC, tables.first_position DESC, findings.deal DESC, findings.version DESC
    ) AS place
  FROM findings
  JOIN deals USING (table_name, deal)
  JOIN tables USING (table_name)
  WHERE severity <> 'info' AND deals.status <> 'open'
)
WHERE place <= 20
ORDER BY rule, place;
