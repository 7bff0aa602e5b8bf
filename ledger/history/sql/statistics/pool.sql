-- parameters: {filters}
-- columns: played_on game table_name deal status pool_before pool_after
SELECT played_on, game, table_name, deal, status, pool_before, pool_after
FROM chosen_deals({filters})
WHERE game IN ('ombre', 'quadrille')
ORDER BY played_on, min(first_position) OVER (PARTITION BY table_name), deal;
