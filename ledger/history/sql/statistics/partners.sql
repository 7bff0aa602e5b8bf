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
WITH chosen AS (
  SELECT * FROM scored_deals($game, $session, $since, $until)
),
-- Both orders of each pair, so that a named player can stand first.
paired AS (
  SELECT
    game, declarer_player AS player, partner_player, table_name, deal, declarer AS seat, partner AS other_seat,
    declarer_won AS is_won
  FROM chosen
  WHERE partner IS NOT NULL
  UNION ALL
  SELECT game, partner_player, declarer_player, table_name, deal, partner, declarer, declarer_won
  FROM chosen
  WHERE partner IS NOT NULL
  UNION ALL
  -- COU-2.7: seats of one team are two apart, whose winner is 0 or 1
  SELECT
    chosen.game, mine.player, theirs.player, table_name, deal, mine.seat, theirs.seat,
    CAST(chosen.outcome ->> 'winner' AS INTEGER) = mine.seat % 2
  FROM chosen
  JOIN deal_scores AS mine USING (table_name, deal)
  JOIN deal_scores AS theirs USING (table_name, deal)
  WHERE chosen.game = 'couillon' AND mine.seat <> theirs.seat AND mine.seat % 2 = theirs.seat % 2
),
named AS (
  SELECT paired.*, mine.delta AS delta, theirs.delta AS other_delta
  FROM paired
  JOIN deal_scores AS mine USING (table_name, deal, seat)
  JOIN deal_scores AS theirs
    ON theirs.table_name = paired.table_name AND theirs.deal = paired.deal AND theirs.seat = paired.other_seat
  WHERE CASE WHEN $player::VARCHAR IS NULL THEN paired.player < paired.partner_player ELSE paired.player = $player END
),
counted AS (
  SELECT
    game,
    player,
    partner_player,
    count(*) AS deals,
    count(*) FILTER (is_won) AS won,
    count(*) FILTER (NOT is_won) AS lost,
    avg(delta + other_delta) / 2 AS mean,
    histogram(delta + other_delta) AS spread
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
