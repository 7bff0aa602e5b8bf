-- Who beats whom: by how much a player did better than another in the deals at which both sat.
-- parameters: player game since until session
--
-- One row for a player and another one. `deals`: complete deals at whose table both sat. `mean_difference`: what such a deal
-- brought the player, less what it brought the other, on the average; `low` and `high` bound it with 95 % confidence
-- (normal approximation; null for a single deal). Points of different games are of different worth: name a game.
WITH seated AS (
  SELECT deal_scores.table_name, deal_scores.deal, deal_scores.seat, deal_scores.player, deal_scores.delta
  FROM deal_scores JOIN deals USING (table_name, deal)
  WHERE deals.status = 'complete'
    AND ($game::VARCHAR IS NULL OR deals.game = $game)
    AND ($session::VARCHAR IS NULL OR deals.session = $session)
    AND ($since::DATE IS NULL OR deals.played_on >= $since)
    AND ($until::DATE IS NULL OR deals.played_on <= $until)
),
met AS (
  SELECT mine.player, theirs.player AS opponent, mine.delta - theirs.delta AS difference
  FROM seated AS mine
  JOIN seated AS theirs ON theirs.table_name = mine.table_name AND theirs.deal = mine.deal AND theirs.seat <> mine.seat
  WHERE mine.player <> theirs.player AND ($player::VARCHAR IS NULL OR mine.player = $player)
),
counted AS (
  SELECT
    player,
    opponent,
    count(*) AS deals,
    avg(difference) AS mean_difference,
    1.959964 * stddev_samp(difference) / sqrt(count(*)) AS margin
  FROM met
  GROUP BY player, opponent
)
SELECT
  player,
  opponent,
  deals,
  round(mean_difference, 2) AS mean_difference,
  round(mean_difference - margin, 2) AS low,
  round(mean_difference + margin, 2) AS high
FROM counted
ORDER BY player, opponent;
