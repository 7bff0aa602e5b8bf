-- Functions for statistics, to be used in any question.

-- The bounds of the 95 % interval of a share after Wilson: `hits` of `trials`. Null without a trial.
-- For 8 of 10: 0.490 and 0.943. Unlike the textbook's p ± 1.96 s it stays within 0 and 1 and is honest about small samples.
-- The rounding of the constants must not take the lower bound of no hits below 0.
CREATE MACRO wilson_low(hits, trials) AS
  CASE WHEN hits = 0 AND trials > 0 THEN 0.0 ELSE
    (hits + 1.920729 - 1.959964 * sqrt(hits * (trials - hits) / nullif(trials, 0)::DOUBLE + 0.960365))
    / nullif(trials, 0) / (1 + 3.841459 / nullif(trials, 0))
  END;

CREATE MACRO wilson_high(hits, trials) AS
  (hits + 1.920729 + 1.959964 * sqrt(hits * (trials - hits) / nullif(trials, 0)::DOUBLE + 0.960365))
  / nullif(trials, 0) / (1 + 3.841459 / nullif(trials, 0));
