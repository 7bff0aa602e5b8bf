-- parameters: player {filters} by
-- columns: game card led share low high known won_trick share_won_trick won_low won_high mean_points mean_low mean_high
WITH leads AS (
  SELECT
    table_name,
    game,
    opening_lead AS card,
    opening_winner = opening_leader AS is_won,
    deltas[opening_leader + 1] AS delta
  FROM scored_deals({filters})
  WHERE opening_lead IS NOT NULL AND ($player::VARCHAR IS NULL OR players[opening_leader + 1] = $player)
),
counted AS (
  SELECT
    game,
    card,
    count(*) AS led,
    count(is_won) AS known,
    count(*) FILTER (is_won) AS won_trick,
    avg(delta) AS mean,
    amounts_of(delta, table_name, $by) AS amounts
  FROM leads
  GROUP BY game, card
),
bounded AS (
  SELECT *, sum(led) OVER (PARTITION BY game) AS all_leads, bounds_of(amounts, minimum_deals(game, 'points')) AS bounds FROM counted
)
SELECT
  game,
  card,
  led,
  round(led / all_leads, 3) AS share,
  round(wilson_low(led, all_leads), 3) AS low,
  round(wilson_high(led, all_leads), 3) AS high,
  known,
  won_trick,
  round(won_trick / nullif(known, 0), 3) AS share_won_trick,
  round(wilson_low(won_trick, known), 3) AS won_low,
  round(wilson_high(won_trick, known), 3) AS won_high,
  round(mean, 2) AS mean_points,
  round(bounds[1], 2) AS mean_low,
  round(bounds[2], 2) AS mean_high
FROM bounded
ORDER BY game, led DESC, card;
