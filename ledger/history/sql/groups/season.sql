-- All seasons with any play.
-- parameters: season_from
SELECT DISTINCT season_named(season_of(played_on, $season_from), $season_from) AS season FROM deals ORDER BY season;
