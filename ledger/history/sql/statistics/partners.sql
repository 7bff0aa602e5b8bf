-- Who does well with whom: two players on the declarer's side (Quadrille, Kop, Baśka), or of one team (Couillon).
-- parameters: player game since until session
--
-- One row for each pair of players in a game, the pair that played most first. Complete deals with a known
-- result count.
--
--   game: the game
--   player: one of the two, the first by the alphabet; with a player named, that one
--   partner_player: the other
--   deals: deals that they played together
--   won: deals of these that they won
--   lost: deals of these that they lost; a deal may be neither
--   share_won: won of deals
--   low: lower bound of its 95 % interval (Wilson)
--   high: upper bound
--   mean_points: what a deal brought each of them on the average
--   mean_low: lower bound of its 95 % interval (bootstrap)
--   mean_high: upper bound
WITH sided AS (
  SELECT
    deals.game,
    table_name,
    deal,
    scores.seat,
    scores.player,
    scores.delta,
    -- COU-2.7: the even seats are team 0, the odd ones team 1
    CASE deals.game WHEN 'couillon' THEN scores.seat % 2 ELSE 0 END AS side,
    CASE deals.game
      WHEN 'couillon' THEN CAST(deals.outcome ->> 'winner' AS INTEGER) = scores.seat % 2
      ELSE deals.declarer_won
    END AS is_won
  FROM scored_deals($game, $session, $since, $until) AS deals JOIN deal_scores AS scores USING (table_name, deal)
  WHERE deals.game = 'couillon' OR (deals.partner IS NOT NULL AND scores.seat IN (deals.declarer, deals.partner))
),
named AS (
  SELECT
    mine.game, mine.player, theirs.player AS partner_player, mine.is_won, mine.delta + theirs.delta AS both_gained
  FROM sided AS mine JOIN sided AS theirs USING (table_name, deal, side)
  WHERE mine.seat <> theirs.seat
    AND CASE WHEN $player::VARCHAR IS NULL THEN mine.player < theirs.player ELSE mine.player = $player END
),
counted AS (
  SELECT
    game,
    player,
    partner_player,
    count(*) AS deals,
    count(*) FILTER (is_won) AS won,
    count(*) FILTER (NOT is_won) AS lost,
    avg(both_gained) / 2 AS mean,
    histogram(both_gained) AS spread
  FROM named
  GROUP BY game, player, partner_player
),
bounded AS (
  SELECT *, mean_interval(spread) AS bounds FROM counted
)
SELECT
  game,
  player,
  partner_player,
  deals,
  won,
  lost,
  round(won / deals, 3) AS share_won,
  round(wilson_low(won, deals), 3) AS low,
  round(wilson_high(won, deals), 3) AS high,
  round(mean, 2) AS mean_points,
  round(bounds[1] / 2, 2) AS mean_low,
  round(bounds[2] / 2, 2) AS mean_high
FROM bounded
ORDER BY game, deals DESC, player, partner_player;
